import type { Feedback } from '../../core/base/state/schemas';
import type { Counts } from '../../core/base/state/user-limits';
import { forkConversation } from '../../core/conversations/conversation/fork';
import { joinByLink, makeLink } from '../../core/conversations/members/links';
import { removeMember, setMember } from '../../core/conversations/members/members';
import { acceptOwnership, offerOwnership } from '../../core/conversations/members/ownership';
import { fromParentId } from '../../core/conversations/rows/family';
import type { Meta } from '../../core/conversations/rows/meta';
import { ownerIn } from '../../core/conversations/rows/owned';
import type { Member } from '../../core/conversations/rows/rows';
import type { Table } from '../../core/conversations/store/table';
import { giveFeedback } from '../../modules/feedback/give-feedback';
import { addMember } from '../support/add-member';
import type { Row } from './memory-table';
import type { Broken } from './promises';
import type { Invocation, World } from './world';

/** Those with whom the owner shares: one by name, one by a group. */
export const mia = { user: 'mia', groups: [] as string[] };
export const guest = { user: 'gus', groups: ['guests'] };
/** One who comes by a link. */
const lee = 'lee';
const names = { mia: 'user:mia', gus: 'group:guests', lee: 'user:lee' } as const;
const shared = [names.mia, names.gus] as const;

type Api = (name: string, work: (table: Table, invocation: Invocation) => Promise<unknown>) => Promise<boolean>;

/** Members who come and go, and other owners. What they write is held against META at the moment when it is written. */
export class Members {
  readonly broken: Broken[] = [];

  constructor(
    private readonly world: World,
    private readonly api: Api,
    private readonly owner: string,
  ) {}

  /** The owner shares a conversation with both. */
  async share(conversationId: string, role: Member['role']): Promise<void> {
    for (const name of shared)
      await this.api('share', (table) => addMember(table, { conversationId, by: this.owner }, name, { role }));
  }

  /** The owner shares a conversation, or shares it no more. It is always a request of the first owner, also when there is another one. */
  async change(conversationId: string): Promise<void> {
    const { random } = this.world;
    const name = random.pick(shared);
    const by = random.chance(0.15) ? mia.user : this.owner;
    const asked = { conversationId, by };
    if (random.chance(0.55)) {
      const role = random.pick(['member', 'member', 'watcher'] as const);
      await this.api('share', (table) => addMember(table, asked, name, { role }));
    } else await this.api('unshare', (table) => removeMember(table, asked, name, new Date(this.world.time)));
  }

  /** Somebody comes by a link, is let in perhaps, and leaves perhaps. */
  async comeByLink(conversationId: string): Promise<void> {
    const { world, owner } = this;
    const { random } = world;
    const now = () => new Date(world.time);
    let secret: string | undefined;
    const wanted = { role: 'member' as const, lasts: 86_400, once: random.chance(0.5) };
    await this.api('make a link', async (table) => {
      ({ secret } = await makeLink(table, { conversationId, by: owner }, wanted, now()));
    });
    if (secret === undefined) return;
    const by = secret;
    const steps = [
      ['join', (table: Table) => joinByLink(table, { conversationId, by: lee }, { secret: by }, now())],
      ['let in', (table: Table) => setMember(table, { conversationId, by: owner }, names.lee, { role: 'member' })],
      ['leave', (table: Table) => removeMember(table, { conversationId, by: lee }, names.lee, now())],
    ] as const;
    for (const [name, work] of steps) {
      if (name !== 'join' && random.chance(0.3)) continue;
      for (let attempt = 0; attempt < 3; attempt++) if (await this.api(name, work)) break;
      await world.sleep(world.time + random.below(random.pick([1, 20_000])));
    }
  }

  /** One of them makes the first step again. */
  async fork(conversationId: string, now: () => Date, atMost: Partial<Counts>): Promise<void> {
    const request = { from: conversationId, id: `${conversationId} forked`, user: mia, step: 1, text: 'As Mia says' };
    await this.api('fork of a member', (table) => forkConversation(table, request, now(), atMost));
  }

  /** The conversation is offered to the member, who accepts, and perhaps gives it back. */
  async handOver(conversationId: string, atMost: Partial<Counts>): Promise<void> {
    const pass = async (from: string, to: string) => {
      await this.api('offer', (table) => offerOwnership(table, { conversationId, by: from }, to));
      for (let attempt = 0; attempt < 3; attempt++)
        if (
          await this.api('accept', (table) =>
            acceptOwnership(table, { conversationId, by: to }, new Date(this.world.time), atMost),
          )
        )
          return;
    };
    await pass(this.owner, mia.user);
    if (this.world.random.chance(0.6)) await pass(mia.user, this.owner);
  }

  /** Somebody says what they think of a message, or takes it back. */
  async rate(conversationId: string): Promise<void> {
    const { random, time } = this.world;
    const by = random.pick([this.owner, mia, guest]);
    const given = random.pick([{ verdict: 'up' }, { verdict: 'down', reason: 'So' }, { dataset: true }, {}] as const);
    const seq = 1 + random.below(6);
    await this.api('rate', (table) => giveFeedback(table, { conversationId, seq, by }, given, new Date(time)));
  }

  /** Looks at what is new of what people think of a message: each has one entry, as one who may write. */
  private noteFeedback({ pk, sk, feedback = [] }: Row, before: Row): void {
    const [is, was] = [feedback, before.feedback ?? []] as Feedback[][];
    const meta = this.world.table.row({ pk, sk: 'META' }) as unknown as Meta;
    const say = (words: string) => this.broken.push(`${sk} of ${pk}: ${words}`);
    if (new Set(is!.map(({ user }) => user)).size < is!.length) say('a person has two entries of feedback.');
    const known = new Set(was!.map((one) => JSON.stringify(one)));
    for (const { user } of is!.filter((one) => !known.has(JSON.stringify(one)))) {
      const name = names[user as keyof typeof names] as string | undefined;
      const role = meta.owner === user ? 'owner' : meta.members?.[name ?? `user:${user}`]?.role;
      this.world.count('feedback');
      if (role !== 'owner' && role !== 'member')
        say(`${user} has said what they think, and is ${role ?? 'nobody'} there.`);
    }
  }

  /** Looks at a message that one of them has written, and at the members of a fork. */
  note(row: Row, before: Row | undefined): void {
    const { pk, sk, author, sources = [], copiedFrom } = row;
    if (sk.startsWith('M#') && copiedFrom && !before && row.feedback)
      this.broken.push(`${sk} of ${pk}: a fork has the feedback of its original.`);
    if (sk.startsWith('M#') && before) this.noteFeedback(row, before);
    if (!sk.startsWith('M#') || before || copiedFrom || row.role !== 'user') return;
    const meta = this.world.table.row({ pk, sk: 'META' }) as unknown as Meta | undefined;
    if (!meta || meta.owner === author || meta.forking) return;
    const name = names[author as keyof typeof names] as string | undefined;
    if (name === undefined && author !== this.owner) return;
    const { [name ?? `user:${this.owner}`]: entry }: Record<string, Member> = meta.members ?? {};
    const say = (words: string) => this.broken.push(`${sk} of ${pk}: ${words}`);
    this.world.count(`a message of ${name === names.gus ? 'a guest' : 'a member'}`);
    if (entry?.role !== 'member') say(`${String(author)} has written, and is ${entry?.role ?? 'nobody'} there.`);
    if (!(sources as string[]).includes('member')) say('it counts as the owner’s words.');
  }

  /** Holds the rows against each other, when all is at rest. */
  held(rows: Row[]): Broken[] {
    const broken = [...this.broken];
    const metas = rows.filter(({ sk }) => sk === 'META') as (Row & Partial<Meta>)[];
    const ownerOf = (id: string) => metas.find(({ pk, forking }) => pk === `C#${id}` && !forking)?.owner;
    for (const { pk, owner, members = {}, forking, parentId = '', parent } of metas) {
      if (!owner || forking) continue;
      const above = parent?.conversationId ?? fromParentId(String(parentId)).rootId;
      const theirs = above && ownerOf(above);
      if (theirs && ownerIn(theirs) !== ownerIn(owner))
        broken.push(`${pk} is ${owner}’s, and ${above} is ${theirs}’s.`);
      for (const name of Object.keys(members))
        if (
          !members[name]!.asks &&
          !rows.some((row) => row.pk === `S#${name}` && row.sk === `SHARED#${pk.slice(2)}` && row.ttl === undefined)
        )
          broken.push(`${name} is in ${pk}, and is led there by nothing.`);
    }
    for (const { pk, sk } of rows.filter((row) => row.sk.startsWith('SHARED#') && row.ttl === undefined)) {
      const { owner, members = {} } = metas.find((row) => row.pk === `C#${sk.slice('SHARED#'.length)}`) ?? {};
      if (!owner || !members[pk.slice('S#'.length)]) broken.push(`${pk} is led to ${sk}, and is not in it.`);
    }
    return [...broken, ...ofOneFamily(metas)];
  }
}

/** All versions of a conversation that its owner has are of the same people. */
function ofOneFamily(metas: readonly (Row & Partial<Meta>)[]): Broken[] {
  const peopleOf = ({ members = {} }: Partial<Meta>) =>
    Object.entries(members)
      .map(([name, { role, asks, invited }]) => `${name} ${role}${asks ? ' who asks' : ''}${invited ? ' invited' : ''}`)
      .sort()
      .join(', ');
  return metas.flatMap((fork) => {
    const root = metas.find(({ pk, owner, forking }) => pk === `C#${fork.rootId}` && !forking && owner);
    if (!root?.owner || !fork.owner || fork.forking || ownerIn(root.owner) !== ownerIn(fork.owner)) return [];
    const [own, others] = [peopleOf(fork), peopleOf(root)];
    return own === others
      ? []
      : [`In ${fork.pk} are ${own || 'no others'}, and in ${root.pk} ${others || 'no others'}.`];
  });
}
