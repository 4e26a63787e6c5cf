import { readTimer } from '../calls/timer';
import type { NoticeKind } from '../live/live';
import { isWatched } from '../live/watching';
import { key } from '../rows/keys';
import { StoredMessage } from '../rows/rows';
import { readSettings } from '../runs/user-settings';
import { readRow, type Table } from '../store/table';
import { claimSending, recordSent, releaseSending } from './claim-sending';
import { NotDelivered, type Notice, type NoticeOutput, sentKey } from './notice';
import { type Notification, notificationOf } from './notification';
import { quietUntil } from './quiet-hours';
import { type Device, type Reach, readReach, removeDevice } from './reach';
import type { NoticeSettings } from './settings';

/**
 * What a device's service said. `gone`: it no longer knows the device. `refused`: it will never take this notification. `failed`: it
 * may take it later.
 */
export type Delivery = 'taken' | 'gone' | 'refused' | 'failed';

export interface Deliverer {
  table: Table;
  live: Table;
  push(device: Device, notification: Notification): Promise<Delivery>;
  /** Absent in a deployment that sends no e-mail. */
  mail?: (address: string, notification: Notification) => Promise<Delivery>;
}

/**
 * Delivers a notice to all devices of its user, unless the user watches the conversation, does not want to hear of it, or has quiet
 * hours. Each device gets it once, however often this is repeated: its sending is claimed before, and recorded after. If this dies in
 * between, the device may get it twice, with the same id.
 *
 * @throws NotDelivered if a device should be tried again.
 */
export async function deliverNotice(deliverer: Deliverer, notice: Notice, now: Date): Promise<NoticeOutput> {
  const { table, live } = deliverer;
  const { user, kind, conversationId } = notice;
  const done: NoticeOutput = { ...notice, next: 'done' };
  const reach = await readReach(table, user);
  if (!reach.settings[settingOf[kind]]) return done;
  if (await isWatched(live, conversationId, now)) return done;
  if (await isOfReminder(table, notice, reach.settings)) return done;
  const { quietHours, words } = reach.settings;
  const until = quietHours && quietUntil(quietHours, (await readSettings(table, user)).timeZone, now);
  if (until) return { ...notice, next: 'wait', until: until.toISOString() };
  const notification = await notificationOf(table, notice, words, now);
  if (!notification) return done;
  const failed = (await Promise.allSettled(sendings(deliverer, reach, notification, { user, now })))
    .filter(({ status }) => status === 'rejected')
    .map((one) => (one as PromiseRejectedResult).reason as Error);
  const [first] = failed;
  if (first) throw failed.find(({ name }) => name !== 'NotDelivered') ?? first;
  return done;
}

const settingOf = {
  ...{ reminder: 'reminders', approval: 'approvals', question: 'questions', failure: 'failures', answer: 'answers' },
} as const satisfies Record<NoticeKind, keyof NoticeSettings>;

/** Whether the answer is to a reminder, of which there has been a notice. */
async function isOfReminder(
  table: Table,
  { kind, conversationId, readSeq }: Notice,
  { reminders }: NoticeSettings,
): Promise<boolean> {
  if (kind !== 'answer' || readSeq === undefined || !reminders) return false;
  const row = await readRow(table, conversationId, key.message(readSeq));
  const { about, scheduled } = row ? StoredMessage.parse(row) : {};
  return Boolean(about) && !scheduled && (await readTimer(table, conversationId, about!)) !== undefined;
}

function sendings(
  { table, push, mail }: Deliverer,
  { devices, settings, address }: Reach,
  notification: Notification,
  { user, now }: { user: string; now: Date },
): Promise<void>[] {
  const once = (deviceId: string, send: () => Promise<Delivery>) =>
    sendOnce(table, sentKey(user, notification.id, deviceId), now, send);
  const pushes = devices.map((device) =>
    once(device.id, async () => {
      const delivery = await push(device, notification);
      if (delivery === 'gone') await removeDevice(table, user, device.id);
      return delivery;
    }),
  );
  if (!mail || !settings.mail || !address) return pushes;
  return [...pushes, once('mail', () => mail(address, notification))];
}

async function sendOnce(
  table: Table,
  at: ReturnType<typeof sentKey>,
  now: Date,
  send: () => Promise<Delivery>,
): Promise<void> {
  const claim = await claimSending(table, at, now);
  if (!claim) return;
  const delivery = await send();
  if (delivery !== 'failed') return recordSent(table, claim);
  await releaseSending(table, claim, now);
  throw new NotDelivered('A device could not be reached.');
}
