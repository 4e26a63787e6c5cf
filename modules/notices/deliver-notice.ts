import { readTimer } from '../../core/conversations/calls/timer';
import { ignoredConversation, readIgnored } from '../../core/conversations/members/ignored';
import { ownName } from '../../core/conversations/members/role';
import { key } from '../../core/conversations/rows/keys';
import { ifReadable } from '../../core/conversations/rows/readable';
import { StoredMessage } from '../../core/conversations/rows/rows';
import { readSettings } from '../../core/conversations/runs/user-settings';
import { readRow, readShownMeta, type Table } from '../../core/conversations/store/table';
import type { NoticeKind } from '../../core/people/live/live';
import { isWatched } from '../../core/people/live/watching';
import { claimSending, recordSent, releaseSending } from './claim-sending';
import { NotDelivered, type Notice, type NoticeOutput } from './notice';
import type { NoticeSettings } from './notice-settings';
import { type NoticeLanguage, noticeLanguage } from './notice-words';
import { type Notification, notificationOf } from './notification';
import { quietUntil } from './quiet-hours';
import { type Device, forgetDevice, type Reach, reachFor, readReach } from './reach';
import { sentKey } from './rows';

/**
 * The answer of a device's service. `gone`: it no longer knows the device. `refused`: it will never take this notification. `failed`: it
 * may take it later, and `notBefore` is when, if it says so.
 */
export type Delivery = 'taken' | 'gone' | 'refused' | 'failed' | { notBefore: Date };

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
  const { table } = deliverer;
  const { user } = notice;
  const done: NoticeOutput = { ...notice, next: 'done' };
  const reach = reachFor(await readReach(table, user, now), notice);
  const until = notice.kind === 'grant' ? undefined : await whenWanted(deliverer, notice, reach.settings, now);
  if (until === 'never') return done;
  if (until) return { ...notice, next: 'wait', until: until.toISOString() };
  const texts = await textsFor(table, notice, reach, now);
  if (!texts) return done;
  const failed = (await Promise.allSettled(sendings(deliverer, reach, texts, { user, now })))
    .filter(({ status }) => status === 'rejected')
    .map((one) => (one as PromiseRejectedResult).reason as Error);
  const [first] = failed;
  if (!first) return done;
  const later = failed.map((error) => (error as NotDelivered).notBefore);
  const [next] = later.flatMap((time) => time ?? []).sort((one, other) => one.getTime() - other.getTime());
  const givenUpAt = new Date(Date.parse(notice.at) + givenUpMs);
  // The service's word holds, instead of the machine's own pauses. After a day, the machine gives up as ever.
  if (next && later.every(Boolean) && next < givenUpAt) return { ...notice, next: 'wait', until: next.toISOString() };
  throw failed.find(({ name }) => name !== 'NotDelivered') ?? first;
}

const givenUpMs = 86_400_000;

/** What a notice says, without and with words of the conversation. */
interface Text {
  plain: Notification;
  quoting: Notification;
}
type TextIn = (language?: string) => Text;

/**
 * Returns what the notice says in the language of each device, and in the user's for e-mail and for devices that do not say theirs.
 *
 * @returns undefined if it is of no interest any more.
 */
async function textsFor(
  table: Table,
  notice: Notice,
  { devices, settings }: Reach,
  now: Date,
): Promise<TextIn | undefined> {
  const ofUser = (await readSettings(table, notice.user)).language;
  const languages = new Set([ofUser, ...devices.map(({ language }) => language ?? ofUser)].map(noticeLanguage));
  const texts = new Map<NoticeLanguage, Text>();
  for (const language of languages) {
    const plain = await notificationOf(table, notice, false, now, language);
    if (!plain) return undefined;
    const quoting = settings.words ? ((await notificationOf(table, notice, true, now, language)) ?? plain) : plain;
    texts.set(language, { plain, quoting });
  }
  return (language = ofUser) => texts.get(noticeLanguage(language))!;
}

/** Returns when the quiet hours end, if the user has some; `never` if the user does not want to hear of it. */
async function whenWanted(
  { table, live }: Deliverer,
  notice: Notice,
  settings: NoticeSettings,
  now: Date,
): Promise<Date | 'never' | undefined> {
  const { user, kind, conversationId } = notice;
  if (kind === 'grant' || conversationId === undefined) return undefined;
  if (!settings[settingOf[kind]]) return 'never';
  if (await isOfIgnored(table, user, conversationId)) return 'never';
  if (await isWatched(live, conversationId, user, now)) return 'never';
  if (await isOfReminder(table, { ...notice, conversationId }, settings)) return 'never';
  const { quietHours } = settings;
  return quietHours && quietUntil(quietHours, (await readSettings(table, user)).timeZone, now);
}

/** Whether the user ignores the conversation, one of whose versions it may be, or its owner. */
async function isOfIgnored(table: Table, user: string, conversationId: string): Promise<boolean> {
  const ignored = await readIgnored(table, user);
  if (ignored.size === 0) return false;
  const { owner, rootId = conversationId } = (await readShownMeta(table, conversationId)) ?? {};
  return (
    [conversationId, rootId].some((id) => ignored.has(ignoredConversation(id))) ||
    (owner !== undefined && ignored.has(ownName(owner)))
  );
}

const settingOf = {
  reminder: 'reminders',
  approval: 'approvals',
  question: 'questions',
  failure: 'failures',
  answer: 'answers',
  mention: 'mentions',
  person: 'approvals',
  allowed: 'allowed',
} as const satisfies Record<NoticeKind, keyof NoticeSettings>;

/** Whether the answer is to a reminder, of which there has been a notice. */
async function isOfReminder(
  table: Table,
  { kind, conversationId, readSeq }: Notice & { conversationId: string },
  { reminders }: NoticeSettings,
): Promise<boolean> {
  if (kind !== 'answer' || readSeq === undefined || !reminders) return false;
  const row = await readRow(table, conversationId, key.message(readSeq));
  const { about, scheduled } = ifReadable(StoredMessage, row) ?? ({} as Partial<StoredMessage>);
  return Boolean(about) && !scheduled && (await readTimer(table, conversationId, about!)) !== undefined;
}

function sendings(
  { table, push, mail }: Deliverer,
  { devices, settings, address }: Reach,
  textIn: TextIn,
  { user, now }: { user: string; now: Date },
): Promise<void>[] {
  const { id } = textIn().plain;
  const once = (deviceId: string, send: () => Promise<Delivery>) =>
    sendOnce(table, sentKey(user, id, deviceId), now, send);
  const pushes = devices.map((device) =>
    once(device.id, async () => {
      const { plain, quoting } = textIn(device.language);
      // Until a second token has confirmed the device, it may be a thief's.
      const delivery = await push(device, device.grant.confirmed ? quoting : plain);
      if (delivery === 'gone') await forgetDevice(table, user, device.id, now);
      return delivery;
    }),
  );
  if (!mail || !settings.mail || !address) return pushes;
  return [...pushes, once('mail', () => mail(address, textIn().quoting))];
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
  const notBefore = typeof delivery === 'object' ? delivery.notBefore : undefined;
  if (delivery !== 'failed' && !notBefore) return recordSent(table, claim);
  await releaseSending(table, claim, now);
  throw new NotDelivered('A device could not be reached.', notBefore);
}
