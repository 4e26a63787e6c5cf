import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createConversation } from '../../core/conversations/runs/conversation';
import { openConnection } from '../../core/people/live/connections';
import { conversationTopic, subscribe } from '../../core/people/live/subscriptions';
import { setWatched } from '../../core/people/live/watching';
import { listen } from '../../local/model-server/listen';
import { loggedLines } from '../../test/support/logged';
import { tableOfTests } from '../../test/support/tables/table';

// AWS's own client, to a server that fails as API Gateway does.

const live = tableOfTests();
let server: Awaited<ReturnType<typeof listen>>;
let asked: { method?: string; url?: string; isSigned: boolean; body: string }[];
let answer: (response: ServerResponse) => void;
const env = { ...process.env };
beforeAll(async () => {
  server = await listen(async (request, response) => {
    const body = await text(request);
    const { method, url, headers } = request;
    asked.push({ method, url, isSigned: /^AWS4-HMAC-SHA256 /.test(headers.authorization ?? ''), body });
    answer(response);
  });
  Object.assign(process.env, {
    LIVE_TABLE_NAME: live.name,
    TABLE_NAME: live.name,
    AWS_ENDPOINT_URL_DYNAMODB: live.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    LIVE_CONNECTIONS_URL: `${server.url}/live`,
  });
});
afterAll(() => {
  process.env = env;
  return server.stop();
});
beforeEach(() => {
  asked = [];
});

let serial = 0;
async function watched(): Promise<{ conversationId: string; connectionId: string }> {
  const [conversationId, connectionId, now] = [`d${++serial}`, `L0SM9c${serial}Gd=`, new Date()];
  const holder = { user: 'ada', deciders: [], groups: [], until: now.getTime() / 1_000 + 600 };
  await createConversation(live, { id: conversationId, user: 'ada', agent: 'a' }, now);
  await openConnection(live, connectionId, holder, now);
  await subscribe(live, connectionId, conversationTopic(conversationId), holder, now);
  await setWatched(live, connectionId, { conversationId, visible: true, turn: 1 }, now);
  return { conversationId, connectionId };
}
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};
async function opened(conversationId: string) {
  const { deployedDeltas } = await import('./deltas');
  return deployedDeltas()!({ conversationId, seq: 1, attempt: 1 }, new AbortController().signal);
}

test('a delta is posted to its connection by a signed request, and no line of the log has its words (R207, R170)', async () => {
  const lines = loggedLines();
  answer = (response) => response.end();
  const { conversationId, connectionId } = await watched();
  const feed = await opened(conversationId);
  feed.add('Secret words');
  await until(() => asked.length === 1);
  feed.close();
  expect(asked[0]).toMatchObject({
    method: 'POST',
    url: `/live/@connections/${encodeURIComponent(connectionId)}`,
    isSigned: true,
    body: JSON.stringify({ type: 'delta', conversationId, seq: 1, attempt: 1, from: 0, text: 'Secret words' }),
  });
  expect(lines).toEqual([]);
});

test.each([
  ['gone', 410, 'GoneException', []],
  ['full', 429, 'LimitExceededException', [{ level: 'WARN', error: 'LimitExceededException' }]],
  ['down', 503, 'ServiceUnavailable', [{ level: 'WARN' }]],
])('a connection that is %s is asked once (R207)', async (_, status, type, logged) => {
  const lines = loggedLines();
  answer = (response) => response.writeHead(status, { 'x-amzn-errortype': type }).end('{"message":"No."}');
  // On a busy machine, who watches would be asked for again meanwhile, and then it would be tried again.
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  const { conversationId } = await watched();
  const feed = await opened(conversationId);
  for (const word of ['One ', 'two ', 'three ']) {
    feed.add(word);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  // What fails after the end is not logged.
  await until(() => lines.length === logged.length);
  feed.close();
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(asked).toHaveLength(1);
  expect(lines).toMatchObject(logged);
  clock.mockRestore();
});

test('an API that does not answer is given up after two seconds, and nobody has waited for it (R207)', async () => {
  const lines = loggedLines();
  answer = () => undefined;
  const { conversationId } = await watched();
  const feed = await opened(conversationId);
  feed.add('One ');
  await until(() => asked.length === 1);
  feed.add('two ');
  await until(() => lines.length > 0);
  expect(lines).toMatchObject([{ level: 'WARN', message: 'words of a reply were not sent' }]);
  feed.close();
  expect(asked).toHaveLength(1);
});
