import type { SFNClient } from '@aws-sdk/client-sfn';
import type { Table } from '../../core/conversations/store/table';
import { beginNotices } from '../../modules/notices/begin';
import { type Delivery, deliverNotice } from '../../modules/notices/deliver-notice';
import { Notice } from '../../modules/notices/notice';
import { noticesOf } from '../../modules/notices/notice-of';
import { addDevice } from '../../modules/notices/reach';
import type { Row } from './memory-table';
import type { Broken } from './promises';
import type { Invocation, World } from './world';

/** A notification that a push service has taken. */
interface Push {
  noticeId: string;
  device: string;
  /** Whether the invocation that sent it came to its end, so that it is recorded. */
  isRecorded: boolean;
}

const devices = ['phone', 'laptop'];
/** A device that is not registered again ends after 14 days, and a notice may take one. */
const lastsMs = 13 * 86_400_000;
/** Nobody looks at a page. */
const live = { name: 'live', client: { send: async () => ({ Items: [] }) } } as unknown as Table;

/** The notices of a user with two devices: Broadcast begins them, Notify delivers them. */
export class Notices {
  private readonly begun = new Map<string, Notice>();
  private readonly pushes: Push[] = [];
  private readonly registeredAt: number;

  constructor(
    private readonly world: World,
    private readonly user: string,
  ) {
    this.registeredAt = world.time;
  }

  /** Registers the devices, each twice: two tokens of a sign-in confirm it. */
  async register(): Promise<void> {
    const table = this.world.aside();
    const now = new Date(this.world.time);
    const until = Math.floor(this.world.time / 1_000) + 900;
    for (const token of ['a', 'b'])
      for (const id of devices)
        await addDevice(
          table,
          this.user,
          { id, endpoint: id, p256dh: '', auth: '', addedAt: now.toISOString() },
          { token: { id: token, signIn: 's', issuedAt: until - 900, signedInAt: until - 900, until }, now },
        );
  }

  /** Returns the user's notices of a change. */
  of(row: Row, before: Row | undefined): Notice[] {
    if (!row.pk.startsWith('C#')) return [];
    const conversationId = row.pk.slice('C#'.length);
    const all = noticesOf({ conversationId, sk: row.sk, row: { ...row, conversationId }, before });
    // Others have no devices.
    return all.filter(({ user }) => user === this.user);
  }

  /** @returns whether the stream need not bring the change again. */
  async begin(client: SFNClient, table: Table, stateMachineArn: string, notice: Notice): Promise<boolean> {
    const left = await beginNotices(client, table, stateMachineArn, [{ sequenceNumber: '1', notice }]);
    if (left.length === 0) this.begun.set(notice.id, notice);
    return left.length === 0;
  }

  /** Notify. The push service is busy now and then. */
  async deliver(invocation: Invocation, event: unknown): Promise<unknown> {
    const own: Push[] = [];
    const push = (device: { id: string }, { id: noticeId }: { id: string }): Promise<Delivery> =>
      this.world.request('push', invocation, ['dies-before', 'dies-after', 'zombie'], () => {
        if (this.world.mayFail(0.15))
          return this.world.random.pick(['failed', { notBefore: new Date(this.world.time + 90_000) }]);
        const sent = { noticeId, device: device.id, isRecorded: false };
        own.push(sent);
        this.pushes.push(sent);
        this.world.count('pushes');
        return 'taken';
      }) as Promise<Delivery>;
    const deliverer = { table: this.world.tableOf(invocation), live, push };
    const output = await deliverNotice(deliverer, Notice.parse(event), this.world.clock()());
    for (const one of own) one.isRecorded = true;
    return output;
  }

  /** Each device has had each notice that is still of interest, and no more than once where its sending was recorded. */
  broken(rows: readonly Row[]): Broken[] {
    return [...this.begun.values()].flatMap(({ id, kind, conversationId, at }) =>
      devices.flatMap((device) => {
        const own = this.pushes.filter((push) => push.noticeId === id && push.device === device);
        if (own.filter(({ isRecorded }) => isRecorded).length > 1) return [`${device} has had the notice ${id} twice.`];
        const isOwned = rows.some(({ pk, sk, owner }) => pk === `C#${conversationId}` && sk === 'META' && owner);
        const isWanted = isOwned && kind === 'failure' && Date.parse(at) < this.registeredAt + lastsMs;
        return isWanted && own.length === 0 ? [`${device} has never had the notice ${id}.`] : [];
      }),
    );
  }
}
