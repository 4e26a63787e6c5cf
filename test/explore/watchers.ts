import type { Meta } from '../../core/conversations/rows/meta';
import { ownerIn } from '../../core/conversations/rows/owned';
import type { Deltas } from '../../core/machines/step/screen';
import { deltasTo, lookMs } from '../../core/people/live/deltas';
import type { Subscription } from '../../core/people/live/subscriptions';
import { guest, mia } from './members';
import { type Row, tableThrough } from './memory-table';
import type { Broken } from './promises';
import type { Invocation, World } from './world';

/**
 * Browsers of the members, which go on listening whatever becomes of their users. Words of replies leave by their sockets, not by the table: each
 * is held against META at the moment when it is sent.
 */
export class Watchers {
  readonly broken: Broken[] = [];
  /** When a person was last in a conversation, in milliseconds since 1970. */
  private readonly left = new Map<string, number>();
  private readonly live = tableThrough(async () => ({ Items: this.subscriptions() }));

  constructor(private readonly world: World) {}

  /** What sends the words of a reply in an invocation of CallModel. */
  deltasOf(invocation: Invocation): Deltas {
    const { world } = this;
    return deltasTo({
      table: world.tableOf(invocation),
      live: this.live,
      now: () => new Date(world.time),
      later: (work) => {
        let isOff = false;
        world.pause(() => !isOff && work());
        return () => {
          isOff = true;
        };
      },
      failed: () => undefined,
      post: async (user, frame) => this.hold(user, JSON.parse(frame) as { conversationId: string }),
    });
  }

  private subscriptions(): Subscription[] {
    const later = this.world.time / 1_000 + 1_000;
    return [mia, guest].map(({ user, groups }) => ({ sk: user, user, groups, until: later, watchedUntil: later }));
  }

  /** Takes note of who is in a conversation no more. */
  note({ pk, sk, ...row }: Row, before: Row | undefined): void {
    if (sk !== 'META' || !before) return;
    for (const user of [mia.user, guest.user])
      if (isIn(before, user) && !isIn(row, user)) this.left.set(`${pk} ${user}`, this.world.time);
  }

  private hold(user: string, { conversationId }: { conversationId: string }): void {
    const { world } = this;
    world.count('words of a reply sent');
    // Those of a conversation watch what its sub-agents do.
    for (let id: string | undefined = conversationId; id !== undefined; ) {
      const pk = `C#${id}`;
      const meta = world.table.row({ pk, sk: 'META' }) as unknown as Meta | undefined;
      const left = this.left.get(`${pk} ${user}`) ?? Number.NEGATIVE_INFINITY;
      if (isIn(meta, user) || world.time - left <= lookMs) return;
      id = meta?.parent?.conversationId;
    }
    this.broken.push(`${user} reads the words of a reply in ${conversationId}, and is not in it.`);
  }
}

/** Whether META names a person, or a group of theirs. */
function isIn(meta: object | undefined, user: string): boolean {
  const { owner, members = {} } = (meta ?? {}) as { owner?: string; members?: Record<string, { invited?: true }> };
  const named = members[user === mia.user ? 'user:mia' : 'group:guests'];
  return owner !== undefined && (ownerIn(owner) === user || (named !== undefined && !named.invited));
}
