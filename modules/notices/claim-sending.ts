import { readItem, type Table, write } from '../../core/conversations/store/table';
import { NotDelivered } from './notice';
import type { sentKey } from './rows';

/** Longer than a request to a push service may take. Whoever has claimed a sending and died is then replaced. */
const leaseMs = 60_000;
/** Longer than a notice can wait and be retried. */
const keptSeconds = 14 * 86_400;

type Key = ReturnType<typeof sentKey>;
interface Sent {
  state?: 'sending' | 'sent';
  version?: number;
  until?: string;
}

/** One delivery's right to send a notice to a device. `version` fences earlier ones. */
export interface Claim {
  key: Key;
  version: number;
}

/**
 * Claims the sending of a notice to a device, by a conditional write, so that of two deliveries at once one sends.
 *
 * @returns undefined if the device has had its notification.
 * @throws NotDelivered if another delivery is sending it.
 */
export async function claimSending(table: Table, key: Key, now: Date): Promise<Claim | undefined> {
  const until = new Date(now.getTime() + leaseMs).toISOString();
  const ttl = Math.floor(now.getTime() / 1_000) + keptSeconds;
  const put = { state: 'sending', until, version: 1, ttl };
  if (await write(table, '', [{ ...key, put, onlyIf: 'absent' }])) return { key, version: 1 };
  const sent: Sent = (await readItem(table, key)) ?? {};
  const { state, version = 0, until: theirs = '' } = sent;
  if (state === 'sent') return undefined;
  // The other one has died, before it sent or after. Of two notifications of a notice, a browser shows one.
  const isOver = theirs <= now.toISOString();
  if (isOver && (await write(table, '', [{ ...key, set: { until }, onlyIf: { state: 'sending', version } }])))
    return { key, version: version + 1 };
  throw new NotDelivered('Another delivery of this notice is under way.');
}

/** Records that the device has had its notification, or never will. */
export async function recordSent(table: Table, { key }: Claim): Promise<void> {
  await write(table, '', [{ ...key, set: { state: 'sent' }, onlyIf: { state: 'sending' } }]);
}

/** Gives a claim back after a failure, so that the next attempt need not wait for its end. */
export async function releaseSending(table: Table, { key, version }: Claim, now: Date): Promise<void> {
  await write(table, '', [{ ...key, set: { until: now.toISOString() }, onlyIf: { state: 'sending', version } }]);
}
