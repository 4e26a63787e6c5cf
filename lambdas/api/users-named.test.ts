import type { Table } from '../../core/conversations/store/table';
import { shipped } from '../../test/agents';
import { apiDeployment } from '../../test/support/api-deployment';
import { loggedLines } from '../../test/support/logged';
import { api } from './app';

// Another user whom a request names is part of keys, so only an id is taken.

loggedLines();

const event = {
  requestContext: { authorizer: { jwt: { claims: { sub: 'ada', token_use: 'access', exp: '9999999999' } } } },
};
const until = new Date(Date.now() + 86_400_000).toISOString();
const requests: [method: string, path: string, field: string, body: (user: string) => object][] = [
  ['PUT', '/absence', 'to', (to) => ({ to, until })],
  ['PUT', '/conversations/c/callbacks/k/assignee', 'to', (to) => ({ to })],
  ['PUT', '/conversations/c/callbacks/k/assignee', 'from', (from) => ({ to: 'ben', from })],
  ['PUT', '/conversations/c/offer', 'user', (user) => ({ user })],
  ['PUT', '/conversations/c/members', 'member', (user) => ({ member: `user:${user}`, role: 'member' })],
  ['POST', '/conversations/c/messages', 'mentions.0', (user) => ({ text: 'Look', mentions: [user] })],
];

test.each(requests)('%s %s takes only an id of a user as its %s (R267)', async (method, path, field, body) => {
  const app = api(apiDeployment({} as Table, shipped));
  for (const wrong of ['x#STANDING#y', 'a b', 'a\nb', '', 'é'.repeat(200)]) {
    const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body(wrong)) };
    const answer = await app.request(path, init, { event });
    expect(answer.status).toBe(400);
    const { errors } = (await answer.json()) as { errors: { path: string }[] };
    expect(errors.map(({ path }) => path)).toEqual([field]);
  }
});
