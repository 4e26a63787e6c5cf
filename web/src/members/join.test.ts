import { answering, clientOfSockets } from '../../../test/support/page/answering';
import { pageDialog } from '../actions/page-dialog';
import { joinAddress, joinTaken, takeJoin } from './join';

/** The addresses of the history. */
let visited: string[];
const location = { origin: 'https://vigil.example', pathname: '/', search: '?as=ben', hash: '' };
const kept = new Map<string, string>();

const { requests, answers } = answering();
beforeEach(() => {
  jest.useRealTimers();
  kept.clear();
  visited = [];
  pageDialog.setState({ open: undefined });
  Object.assign(globalThis, {
    location,
    history: {
      replaceState(_state: unknown, _title: string, address: string) {
        visited.push(address);
        location.hash = new URL(address, location.origin).hash;
      },
    },
    sessionStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    },
  });
});
afterEach(() => jest.restoreAllMocks());

const opens = (hash: string) => {
  location.hash = hash;
  takeJoin();
};
const join = () => joinTaken({ client: clientOfSockets() } as never);

test('a link is taken out of the address, and used once; its secret is in the body of one request (R225)', async () => {
  answers['POST /conversations/trip/join'] = { role: 'member', asks: false };
  const address = joinAddress('trip', 's3cret_-x');
  expect(address).toBe('https://vigil.example/#/join/trip/s3cret_-x');
  opens(new URL(address).hash);
  expect([visited, location.hash]).toEqual([['/?as=ben#/'], '#/']);
  await join();
  await join();
  expect(requests).toEqual(['POST /conversations/trip/join {"secret":"s3cret_-x"}']);
  expect([location.hash, kept.size]).toEqual(['#/c/trip', 0]);
});

test('who is to be let in learns that the owner is asked, and who has an old link, that it does not work (R225)', async () => {
  answers['POST /conversations/trip/join'] = { role: 'watcher', asks: true };
  opens('#/join/trip/secret');
  await join();
  expect(pageDialog.getState().open).toMatchObject({ is: 'told', title: 'The owner is asked' });
  answers['POST /conversations/trip/join'] = 404;
  opens('#/join/trip/other');
  await join();
  expect(pageDialog.getState().open).toMatchObject({ is: 'told', title: 'This link does not work' });
});

test.each(['#/join/trip', '#/join/trip/', '#/join/a b/secret', `#/join/${'x'.repeat(65)}/s`, '#/c/trip', ''])(
  '%s is no link',
  async (hash) => {
    opens(hash);
    await join();
    expect([visited, requests]).toEqual([[], []]);
  },
);
