import type { Taker } from '../../core/base/state/schemas';
import { assign } from '../../core/conversations/approvals/assign';
import { noteDeciders } from '../../core/conversations/approvals/known-deciders';
import type { SentMessage } from '../../core/conversations/conversation/send-message';
import type { Meta } from '../../core/conversations/rows/meta';
import type { StoredAssignment } from '../../core/conversations/rows/rows';
import type { Table } from '../../core/conversations/store/table';
import { board, callers, desk, owner } from './absences';
import type { Deployment } from './deployment';
import type { Row } from './memory-table';
import type { Broken } from './promises';
import type { Invocation, World } from './world';

type Api = (
  name: string,
  work: (table: Table, deployment: Deployment, now: Date, invocation: Invocation) => Promise<unknown>,
) => Promise<boolean>;
type Say = (conversationId: string, said: Pick<SentMessage, 'user' | 'text'> & Partial<SentMessage>) => Promise<void>;

const staff = [...desk, board];

/**
 * People who take conversations over from their agents, talk in them, give them back or end them, and step in. What they write is held against
 * META at the moment when it is written.
 */
export class TakeOvers {
  readonly broken: Broken[] = [];
  /** The requests that take a conversation from one person on purpose, by callback. */
  private readonly taking = new Map<string, Set<string>>();
  /** Who had a conversation before the last change of META. */
  private readonly had = new Map<string, string | undefined>();
  private serial = 0;

  constructor(
    private readonly world: World,
    private readonly api: Api,
    private readonly say: Say,
  ) {}

  async stepIn(conversationId: string): Promise<void> {
    const person = this.world.random.pick(staff);
    this.world.count('steps in');
    await this.say(conversationId, { user: person, stepsIn: true, text: this.text() });
  }

  private text = (): string => `Staff ${++this.serial}`;

  /** One of the group does something about a conversation that waits, or waited, for a person. */
  async act(conversationId: string, callback: Row): Promise<void> {
    const { random } = this.world;
    const text = this.text();
    const person = random.pick(staff);
    const callbackId = String(callback.id);
    const holder = (callback.assigned as StoredAssignment | undefined)?.to;
    const held = staff.find(({ user }) => user === holder);
    // Some give back what they have never claimed.
    if (!held && random.chance(0.1)) return this.say(conversationId, { user: person, text, callbackId });
    if (!held || random.chance(0.25)) return this.claim(conversationId, callbackId, holder);
    const user = random.chance(0.8) ? held : random.pick([person, owner]);
    if (random.chance(0.55)) return this.say(conversationId, { user, text });
    this.world.count('gives back');
    return this.say(conversationId, { user, text, callbackId, ...(random.chance(0.3) && { ends: true }) });
  }

  private async claim(conversationId: string, callbackId: string, holder: string | undefined): Promise<void> {
    const { random } = this.world;
    const by = random.chance(0.1) ? random.pick(callers) : random.pick(staff);
    const to = random.chance(0.15) ? undefined : random.chance(0.8) ? by : random.pick(staff);
    const from = holder !== undefined && random.chance(0.4) ? holder : undefined;
    if (from !== undefined && to) {
      const known = this.taking.get(callbackId) ?? new Set();
      this.taking.set(callbackId, known.add(`${from} ${to.user}`));
    }
    await this.api('claim', async (table, deployment, now) => {
      if (to) await noteDeciders(table, deployment, to, now);
      await assign(table, { conversationId, callbackId, ...by }, { to: to?.user, from }, now);
    });
  }

  /** Looks at each claim, and at what those of the group and the owner write. */
  note(row: Row, before: Row | undefined): void {
    const { pk, sk, copiedFrom } = row;
    if (copiedFrom) return;
    if (sk === 'META') this.had.set(pk, (before?.takenBy as Taker | undefined)?.user);
    const meta = this.world.table.row({ pk, sk: 'META' }) as unknown as Meta | undefined;
    if (!meta || meta.forking) return;
    if (sk.startsWith('CALLBACK#') && row.kind === 'person') this.noteCallback(row, before, meta);
    if (sk.startsWith('M#') && !before && row.role === 'user') this.noteMessage(row, meta);
  }

  private noteCallback(row: Row, before: Row | undefined, { takenBy, run }: Meta): void {
    const say = (words: string) => this.broken.push(`${String(row.id)}: ${words}`);
    const [is, was] = [row, before].map((one) => (one?.assigned as StoredAssignment | undefined)?.to);
    if (is !== was) this.world.count(is === undefined ? 'released' : 'claimed');
    if (is && was && is !== was && !this.taking.get(String(row.id))?.has(`${was} ${is}`))
      say(`${is} has taken it from ${was} by accident.`);
    const isWaiting = row.status === 'pending' && run?.status === 'waiting';
    if (isWaiting && is !== takenBy?.user) say(`${String(is)} is assigned, and META says ${String(takenBy?.user)}.`);
    if (row.status === 'answered' && before?.status === 'pending' && takenBy)
      say(`is given back, and ${takenBy.user} has it.`);
  }

  private noteMessage({ pk, sk, author, about, scheduled, sources = [], status, aside }: Row, meta: Meta): void {
    const say = (words: string) => this.broken.push(`${sk} of ${pk}: ${words}`);
    const { run, takenBy, waitsFor } = meta;
    const isTaken = run?.status === 'waiting' && takenBy !== undefined && takenBy.callbackId.startsWith(`${run.id}.`);
    const isStaff = staff.some(({ user }) => user === author);
    if (isStaff) this.world.count('a message of one who has taken over');
    // Who gives it back has it no more in the same moment.
    const mayWrite = aside ? isTaken && takenBy.user === author : this.had.get(pk) === author;
    if (isStaff && !scheduled && !mayWrite) say(`${String(author)} has written, and has not taken over.`);
    if (isStaff && !(sources as string[]).includes('member')) say('it counts as the owner’s words.');
    if (about && this.had.get(pk) !== author) say(`${String(author)} gives back what they have not taken.`);
    const isOver = this.world.table
      .rows()
      .some(
        ({ pk: of, kind, runId, expiresAt }) =>
          of === pk && kind === 'person' && runId === run?.id && Date.parse(String(expiresAt)) <= this.world.time,
      );
    const waits = run?.status === 'waiting' && waitsFor === 'person' && !isOver;
    if (author === meta.owner && waits && (status === 'pending' || !aside))
      say('the owner has written to the person, and the agent is to answer.');
  }
}
