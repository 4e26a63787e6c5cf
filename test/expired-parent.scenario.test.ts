import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { key } from '../core/conversations/rows/keys';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest } from './support/servers/model-server';
import { call } from './support/stories/transcript';

// A conversation expires while its sub-agent still waits for somebody. Whoever else needs the relay must not notice.

const isWorker = ({ messages }: ChatRequest) => String(messages[0]!.content) === 'You are the worker.';
const asks = ({ messages }: ChatRequest) => messages.some(({ content }) => content === 'Ask the user');
const results = ({ messages }: ChatRequest) => messages.filter(({ role }) => role === 'tool').length;

describe('a sub-agent whose parent has expired (R74, R122)', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil();
  });
  afterAll(() => vigil?.stop());

  test('ends and reports to nobody, and the next sub-agent is started at once', async () => {
    vigil.model.script((request) => {
      if (results(request) > 0) return { text: 'Well, well.' };
      if (!isWorker(request))
        return call('d', 'delegate', { agent: 'worker', task: asks(request) ? 'Ask the user' : 'Count' });
      return asks(request) ? call('q', 'ask_user', { question: 'Which colour?' }) : { text: 'Counted.' };
    });
    const ada = await vigil.user();
    const { id } = await ada.start('boss', 'Ask the user');
    const child = (await ada.waiting(id)).callbacks[0]!.conversationId!;
    await ada.waiting(child);
    // As its `ttl` would in time.
    const { client, name: TableName } = vigil.table;
    await client.send(new DeleteCommand({ TableName, Key: { pk: key.conversation(id), sk: key.meta } }));
    await ada.say(child, 'Blue');
    await ada.finished(child);
    const next = await ada.start('boss', 'Have the sheep counted');
    expect((await ada.finished(next.id)).calls).toMatchObject([{ result: { said: 'Counted.' } }]);
  });
});
