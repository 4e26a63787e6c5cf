import { type Api, RequestFailed } from 'vigil-client';
import { filesAt } from '../files/draft-files';
import { newPlace } from '../hooks/drafts';
import { send } from './send';
import { vigilState } from './vigil-state';

beforeEach(() => {
  jest.useFakeTimers();
  Object.defineProperty(globalThis, 'navigator', { value: { language: 'en' }, configurable: true });
});
afterEach(() => jest.useRealTimers());

let bodies: unknown[] = [];

function given(answer: () => Promise<object>) {
  const begun = Date.now();
  const sent: number[] = [];
  bodies = [];
  const ask = (...[first, second]: unknown[]) => {
    bodies.push(second ?? first);
    sent.push(Date.now() - begun);
    return answer();
  };
  const store = vigilState();
  const options = {
    newConversationId: () => 'new',
    merge: () => undefined,
    started: () => undefined,
    givenUp: () => undefined,
  };
  return { store, sent, sends: send(store, { say: ask, start: ask } as unknown as Api, options) };
}

test('a page that is refused does not come back before the server has asked for it, whatever else happens (R198)', async () => {
  const refused = new RequestFailed(503, 'Busy', undefined, 30);
  const { sends, sent, store } = given(() => Promise.reject(refused));
  sends.say('a', 'One');
  await jest.advanceTimersByTimeAsync(5_000);
  // A reconnect, a message in another conversation, and a message that is sent again.
  sends.resume();
  sends.say('b', 'Two');
  sends.again(store.getState().unsent[0]!.clientMessageId);
  await jest.advanceTimersByTimeAsync(25_000);
  expect(sent).toEqual([0]);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(sent).toHaveLength(3);
  // The next ones come after another 30 seconds at least.
  await jest.advanceTimersByTimeAsync(28_000);
  expect(sent).toHaveLength(3);
});

test('pages that are refused at the same moment come back apart, and after a reconnect at once (R198)', async () => {
  const pages = Array.from({ length: 50 }, () => given(() => Promise.reject(new RequestFailed(503, 'Busy'))));
  for (const { sends } of pages) sends.say('a', 'One');
  await jest.advanceTimersByTimeAsync(1_500);
  const second = pages.map(({ sent }) => sent[1]!);
  expect(Math.max(...second) - Math.min(...second)).toBeGreaterThan(200);
  const [{ sends, sent }] = pages as [(typeof pages)[0]];
  const before = sent.length;
  sends.resume();
  await jest.advanceTimersByTimeAsync(0);
  expect(sent.length).toBe(before + 1);
});

test('a message whose file was deleted meanwhile says so (R215)', async () => {
  const errors = [{ path: 'parts.1.id', message: 'you have no such file' }];
  const problem = { type: 'about:blank', title: 'Bad request', status: 400, detail: '', errors };
  const { sends, store } = given(() => Promise.reject(new RequestFailed(400, 'parts.1.id', problem)));
  sends.say('a', 'Look', [{ key: 'k', name: 'a.png', mediaType: 'image/png', size: 1, id: 'f_a' }]);
  await jest.advanceTimersByTimeAsync(0);
  expect(store.getState().unsent[0]!.problem).toContain('Add it again');
});

test('files go with a message as parts, and come back with it (R215)', async () => {
  const { sends, store } = given(() => Promise.reject(new RequestFailed(400, 'No.')));
  const file = { key: 'k', name: 'a.png', mediaType: 'image/png', size: 1, id: 'f_a' };
  sends.say('a', 'Look', [file]);
  await jest.advanceTimersByTimeAsync(0);
  expect(bodies.at(-1)).toMatchObject({
    parts: [
      { type: 'text', text: 'Look' },
      { type: 'file', id: 'f_a', filename: 'a.png' },
    ],
  });
  expect(sends.takeBack('a')).toMatchObject({ text: 'Look', files: [file] });
  // One that was to start a conversation becomes the draft of a new one, with its files.
  const id = sends.begin('chat', '', [file]);
  await jest.advanceTimersByTimeAsync(0);
  expect(bodies.at(-1)).toMatchObject({ agent: 'chat', parts: [{ type: 'file', id: 'f_a' }] });
  expect(sends.takeBack(id)).toBeUndefined();
  expect(filesAt(store.getState().drafts, newPlace)).toEqual([file]);
  expect(store.getState().drafts.has(newPlace)).toBe(false);
});
