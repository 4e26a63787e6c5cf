import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { userId } from '../local/http-api/identity';
import type { User } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { drawn, file, isEnough, type Operation, operations } from './support/draw-members';
import { liveClient } from './support/live-client';
import { longTest } from './support/long';
import { call } from './support/stories/transcript';

// A conversation of several people: who may do what is one table, and it holds in every way in.

const at = '2099-01-01T00:00:00.000Z';
/** What an operation needs besides the conversation. */
const bodies: Record<string, object> = {
  arrangeConversation: { title: 'Ours' },
  sendMessage: { text: 'Hello' },
  cancelRun: {},
  wakeRun: { until: at },
  retryModel: { nextAt: at },
  forkConversation: { step: 1 },
  trustWords: { messages: [], calls: [] },
  answerCallback: { answer: 'Yes' },
  assignApproval: { to: 'ben' },
  takeOver: { reason: 'I know this customer.' },
  setMember: { member: 'user:another', role: 'watcher' },
  makeLink: { role: 'watcher' },
  joinConversation: { secret: 'none' },
  offerOwnership: { user: null },
  markRead: { seq: 1 },
  giveFeedback: {},
};
const part = { callId: 'r.00001.00', callbackId: 'r.00001.00', timerId: 't.1', linkId: 'none', seq: '1' };
const fileId = `f_${'x'.repeat(43)}`;
const pathOf = (path: string, id: string): string =>
  path
    .replace('{id}', id)
    .replace('{fileId}', fileId)
    .replace(/\{(\w+)\}/g, (_, name: keyof typeof part) => part[name]);

const people = ['ada', 'ben', 'guest of a group', 'wes', 'asks', 'removed', 'stranger'] as const;
type Who = (typeof people)[number];
const roles: Partial<Record<Who, string>> = {
  ada: 'owner',
  ben: 'member',
  'guest of a group': 'member',
  wes: 'watcher',
};
const may = (who: Who, needs: Operation['needs']): boolean => isEnough(roles[who], needs);

describe('the people of a conversation', () => {
  let vigil: Vigil;
  let ids: Record<string, string>;
  const users = new Map<Who, User>();
  const as = (who: Who): User => users.get(who)!;
  const idOf = (who: string) => userId(vigil.idOf(who.replaceAll(' ', '-')));

  beforeAll(async () => {
    vigil = await startVigil({ script: () => ({ text: 'Hello to all of you.' }) });
    await signInAll();
    ids = Object.fromEntries(people.map((who) => [who, idOf(who)]));
  });
  afterAll(() => vigil?.stop());

  /** The address differs after a restart. */
  async function signInAll(): Promise<void> {
    for (const who of people)
      users.set(
        who,
        await vigil.user(
          who.replaceAll(' ', '-'),
          who === 'guest of a group' || who === 'ada' ? ['readers'] : undefined,
        ),
      );
  }

  /** Ada invites somebody, who accepts. */
  async function invite(id: string, who: Who, role: 'member' | 'watcher', name?: string): Promise<void> {
    await as('ada').client.api.setMember(id, { member: `user:${ids[who]}`, role, ...(name && { name }) });
    await as(who).client.api.acceptInvitation(id);
  }

  async function shared(): Promise<string> {
    const { id } = await as('ada').start('reminder');
    const { api } = as('ada').client;
    await invite(id, 'ben', 'member', 'Ben');
    await api.setMember(id, { member: 'group:readers', role: 'member' });
    await invite(id, 'wes', 'watcher');
    await invite(id, 'removed', 'member');
    await api.removeMember(id, `user:${ids.removed}`);
    const { secret } = await api.makeLink(id, { role: 'member' });
    expect(await as('asks').client.api.join(id, secret)).toEqual({ role: 'member', asks: true });
    return id;
  }

  const ask = (who: Who, { operationId, method, path }: Operation, id: string) => {
    const query =
      operationId === 'removeMember' ? '?member=user:nobody' : operationId === 'streamConversation' ? '?wait=0' : '';
    return as(who).request(method.toUpperCase(), pathOf(path, id) + query, bodies[operationId]);
  };
  const refusals = {
    403: /You are not the owner|You watch this conversation|You cannot decide|You may not take/,
    404: /You have no conversation/,
  };
  const isRefused = ({ status, body }: { status: number; body: unknown }): boolean =>
    (status === 403 || status === 404) && refusals[status].test((body as { detail: string }).detail);

  test('each operation is for those whom the table names; strangers and removed people find nothing (R225)', async () => {
    const all = operations();
    expect(all.length).toBeGreaterThan(25);
    // Draw it again with `npx tsx test/support/draw-members.ts`.
    expect(drawn()).toBe(readFileSync(file, 'utf8'));
    const id = await shared();
    for (const operation of all)
      for (const who of people.filter((one) => !may(one, operation.needs))) {
        const answer = await ask(who, operation, id);
        const status = roles[who] ? 403 : 404;
        expect({ who, operation: operation.operationId, status: answer.status }).toEqual({
          who,
          operation: operation.operationId,
          status: operation.needs === 'approver' && roles[who] ? 404 : status,
        });
        if (operation.needs !== 'approver') expect(isRefused(answer)).toBe(true);
      }
    for (const operation of all.filter(({ needs }) => needs !== 'anybody'))
      for (const who of people.filter((one) => may(one, operation.needs))) {
        const own = ['deleteConversation', 'sendMessage'].includes(operation.operationId) ? await shared() : id;
        const answer = await ask(who, operation, own);
        expect({
          who,
          operation: operation.operationId,
          refused: isRefused(answer),
          status: answer.status,
        }).toMatchObject({
          who,
          operation: operation.operationId,
          refused: false,
        });
        expect(answer.status).toBeLessThan(500);
      }
  });

  test('who is invited finds nothing before they accept, and may ignore who invites them (R267)', async () => {
    const { id } = await as('ada').start('reminder', 'A title that nobody else has seen');
    const { api } = as('ada').client;
    const ben = as('ben');
    const wanted = { member: `user:${ids.ben}`, role: 'member' as const };
    const { members } = await api.setMember(id, wanted);
    expect(members).toEqual([{ ...wanted, invited: true }]);
    expect((await ben.request('GET', `/conversations/${id}`)).status).toBe(404);
    const home = await ben.request('GET', '/home');
    const invitation = { conversationId: id, by: ids.ada, role: 'member', at: expect.any(String) };
    expect(home.body).toMatchObject({ invitations: expect.arrayContaining([invitation]) });
    expect(JSON.stringify(home.body)).not.toContain('A title');
    const of = async () => (await ben.client.api.invitations()).invitations.map((one) => one.conversationId);
    await ben.client.api.setIgnored({ name: `user:${ids.ada}`, ignored: true });
    expect(await of()).not.toContain(id);
    await ben.client.api.setIgnored({ name: `user:${ids.ada}`, ignored: false });
    expect(await of()).toContain(id);
    expect(await ben.client.api.acceptInvitation(id)).toEqual({ role: 'member' });
    expect((await ben.read(id)).members).toEqual([wanted]);
  });

  longTest(
    'a person takes over, outlives the process, talks, and gives the conversation back; then it is theirs no more (R228)',
    async () => {
      vigil.model.script([
        call('h', 'hand_off_to_person', { group: 'helpers', reason: 'They lost a card.' }),
        { text: 'A new card is on its way.' },
      ]);
      const { id } = await as('ada').start('clerk', 'A person, please');
      const waiting = await as('ada').until(id, ({ waitsFor }) => waitsFor === 'person');
      const callbackId = waiting.callbacks[0]!.id;
      let hal = await vigil.user('hal', ['helpers']);
      const [mine] = (await hal.client.api.approvals()).approvals.filter((one) => one.conversationId === id);
      expect(mine).toMatchObject({
        owner: ids.ada,
        agent: 'clerk',
        callback: { kind: 'person', prompt: 'They lost a card.' },
      });
      expect(mine!.messages).toBeUndefined();
      await expect(hal.read(id)).rejects.toThrow();
      await hal.client.api.assign(id, callbackId, idOf('hal'));
      await vigil.kill();
      await vigil.restart();
      await signInAll();
      hal = await vigil.user('hal', ['helpers']);
      const live = await liveClient(hal);
      await live.follow(id);
      await as('ada').say(id, 'I lost my card.');
      await live.until(() => JSON.stringify(live.received).includes('I lost my card.'));
      await hal.say(id, 'I order a new one.');
      expect(await as('ada').read(id)).toMatchObject({ status: 'waiting', takenBy: { user: idOf('hal') } });
      const closed = once(live.socket, 'close');
      await hal.answer(id, callbackId, { answer: 'Order a new card.' });
      const done = await as('ada').finished(id);
      await closed;
      expect(done.messages.at(-1)!.text).toBe('A new card is on its way.');
      expect(JSON.stringify(live.received)).not.toContain('on its way');
      await expect(hal.read(id)).rejects.toThrow();
      const asked = JSON.stringify(vigil.model.requests.at(-1)!.messages);
      for (const words of ['I lost my card.', 'I order a new one.', 'Order a new card.'])
        expect(asked).toContain(words);
    },
  );
});
