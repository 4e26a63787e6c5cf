import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
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

  test('who is invited finds nothing before they accept, and may decline; a group is added by one of it alone (R267)', async () => {
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
    await ben.client.api.removeMember(id, wanted.member);
    expect(await of()).not.toContain(id);
    expect((await ben.request('POST', `/conversations/${id}/invitation`)).status).toBe(404);
    await api.setMember(id, wanted);
    expect(await ben.client.api.acceptInvitation(id)).toEqual({ role: 'member' });
    expect((await ben.read(id)).members).toEqual([wanted]);
    const group = await as('ada').request('PUT', `/conversations/${id}/members`, {
      member: 'group:managers',
      role: 'member',
    });
    expect(group).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('only somebody who is in a group') },
    });
  });

  test('a removed person loses the connection within seconds, and nothing later reaches them (R225)', async () => {
    const { id } = await as('ada').start('reminder', 'Hello');
    await as('ada').finished(id);
    const { api } = as('ada').client;
    await invite(id, 'ben', 'member', 'Ben');
    await api.setMember(id, { member: 'group:readers', role: 'watcher' });
    const [ben, guest] = await Promise.all([liveClient(as('ben')), liveClient(as('guest of a group'))]);
    await ben.followList();
    for (const one of [ben, guest]) await one.follow(id);
    await as('ben').say(id, 'Hello from Ben');
    await guest.until(() => JSON.stringify(guest.received).includes('Hello from Ben'));
    await as('ada').finished(id);
    const closed = Promise.all([once(ben.socket, 'close'), once(guest.socket, 'close')]);
    await api.removeMember(id, 'group:readers');
    await api.removeMember(id, `user:${ids.ben}`);
    await as('ada').say(id, 'A secret of those who stay');
    await as('ada').finished(id);
    await closed;
    expect(JSON.stringify([ben.received, guest.received])).not.toContain('A secret');
    await ben.reconnect();
    const refused = ben.next(({ type }) => type === 'error');
    ben.send({ action: 'subscribe', conversationId: id });
    expect(await refused).toMatchObject({ status: 404 });
    expect((await as('ben').client.api.listShared()).conversations.map((one) => one.id)).not.toContain(id);
    await Promise.all([ben.close(), guest.close()]);
  });

  longTest(
    'two people write, stop and lose the process at once: one order for both, and nothing is lost (R226)',
    async () => {
      const { id } = await as('ada').start('reminder');
      await invite(id, 'ben', 'member', 'Ben');
      const texts = Array.from({ length: 6 }, (_, index) => `Number ${index}`);
      // A message whose answer is lost is sent again, with its id.
      const send = async (who: Who, text: string) => {
        for (let attempt = 0; attempt < 60; attempt++) {
          if (
            await as(who)
              .say(id, text, text.replace(' ', '-'))
              .then(
                () => true,
                () => false,
              )
          )
            return;
          await sleep(250);
        }
        throw new Error(`not sent: ${text}`);
      };
      const sending = texts.map((text, index) => send(index % 2 ? 'ben' : 'ada', text));
      await sending[0];
      await vigil.kill();
      await vigil.restart();
      await signInAll();
      await Promise.all(sending);
      const stops = await Promise.allSettled([as('ada').cancel(id), as('ben').cancel(id)]);
      const rest = await as('ada').until(id, ({ status }) => ['done', 'cancelled', 'failed'].includes(status));
      expect(stops.filter(({ status }) => status === 'rejected').length).toBeLessThanOrEqual(2);
      const said = (all: typeof rest) =>
        all.messages.filter(({ role }) => role === 'user').map(({ seq, author, text }) => [seq, author, text]);
      expect(
        said(rest)
          .map(([, , text]) => text)
          .sort(),
      ).toEqual(texts);
      expect(said(await as('ben').read(id))).toEqual(said(await as('ada').read(id)));
      expect(
        rest.messages.filter(({ author }) => author === ids.ben).every(({ sources }) => sources?.includes('member')),
      ).toBe(true);
      await as('ben').say(id, 'And now?');
      const done = await as('ben').until(
        id,
        ({ status, messages }) => status === 'done' && messages.at(-1)!.role === 'assistant',
      );
      const asked = vigil.model.requests.at(-1)!.messages.findLast(({ role }) => role === 'user')!;
      expect(asked.content).toBe('"Ben", a member of this conversation who is not its owner, says:\n"And now?"');
      for (const who of ['ada', 'ben'] as const) {
        const one = await liveClient(as(who));
        await one.follow(id);
        expect(one.of(id)!.messages.map(({ seq }) => seq)).toEqual(done.messages.map(({ seq }) => seq));
        await one.close();
      }
    },
  );

  longTest(
    'two members say what they think of a reply, at once and while the process dies; both see both (R235)',
    async () => {
      const { id } = await as('ada').start('reminder', 'Hello');
      await as('ada').finished(id);
      await invite(id, 'ben', 'member', 'Ben');
      const ben = await liveClient(as('ben'));
      await ben.follow(id);
      const reply = (await as('ada').read(id)).messages.find(({ role }) => role === 'assistant')!;
      const down = { verdict: 'down' as const, reason: 'Too long.' };
      const give = async (who: Who, body: object) => {
        for (let attempt = 0; attempt < 60; attempt++) {
          const path = `/conversations/${id}/messages/${reply.seq}/feedback`;
          const answer = await as(who)
            .request('PUT', path, body)
            .catch(() => ({ status: 0 }));
          if (answer.status === 200) return;
          await sleep(250);
        }
        throw new Error(`not given: ${who}`);
      };
      await Promise.all([give('ada', { verdict: 'up' }), give('ben', down)]);
      await ben.until(() => JSON.stringify(ben.received).includes('Too long.'));
      await ben.close();
      // The stream's reader writes it a moment later. What a process has written when it dies may be lost with it.
      for (let look = 0; look < 6_000 && !vigil.logs().includes('ThumbsDown'); look++) await sleep(10);
      expect(vigil.logs()).toContain('ThumbsDown');
      const again = [give('ada', { dataset: true, verdict: 'up' }), give('ben', down)];
      await vigil.kill();
      await vigil.restart();
      await signInAll();
      await Promise.all(again);
      const feedback = async (who: Who) =>
        (await as(who).read(id)).messages
          .find(({ seq }) => seq === reply.seq)!
          .feedback!.map(({ at: _, ...one }) => one)
          .sort((one, other) => (one.user === ids.ada ? -1 : other.user === ids.ada ? 1 : 0));
      const both = [
        { user: ids.ada, verdict: 'up', dataset: true },
        { ...down, user: ids.ben },
      ];
      expect(await feedback('ada')).toEqual(both);
      expect(await feedback('ben')).toEqual(both);
      await as('ben').say(id, 'And now?');
      await as('ada').until(id, ({ status, messages }) => status === 'done' && messages.length > 3);
      expect(JSON.stringify(vigil.model.requests)).not.toContain('Too long.');
      expect(vigil.logs()).not.toContain('Too long.');
    },
  );

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
