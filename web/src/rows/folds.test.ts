import type { Callback } from 'vigil-client';
import type { Call } from 'vigil-client/shared';
import { call, message } from '../../../test/support/page/rows';
import { callState } from './call-state';
import { type Fold, folded, foldMs, foldWords } from './folds';
import type { CallCard, Item } from './transcript';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();
const card = (id: string, more: Partial<Call> = {}, callback?: Callback): CallCard => {
  const one = call(id, { title: 'Read a page', startedAt: at(0), completedAt: at(1), ...more });
  return { call: one, callback, state: callState(one, callback) };
};
const item = (one: CallCard): Item => ({ kind: 'call', key: `c${one.call.id}`, card: one });
const shapes = (items: readonly (Item | Fold)[]) =>
  items.map((one) => (one.kind === 'calls' ? one.cards.map(({ call }) => call.id).join('+') : one.key));
const none = new Set<string>();

test('finished calls that follow each other are one line, which keeps its key while others join it (R254)', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => item(card(id)));
  const said: Item = { kind: 'answer', key: 'm1', message: message(1) };
  const running = item(card('r', { status: 'running', completedAt: undefined }));
  expect(shapes(folded([a!, running], none))).toEqual(['a', 'cr']);
  expect(shapes(folded([a!, b!, said, c!], none))).toEqual(['a+b', 'm1', 'c']);
  expect([folded([a!], none), folded([a!, b!], none)].map(([line]) => line!.key)).toEqual(['fca', 'fca']);
  // Another version is chosen at its place.
  expect(shapes(folded([a!, b!, c!], new Set(['cb'])))).toEqual(['a', 'cb', 'c']);
});

const file = { type: 'file', id: `f_${'x'.repeat(43)}`, filename: 'a.png', mediaType: 'image/png', size: 1 };
const asked = (kind: 'approval' | 'question'): Callback =>
  ({ kind, status: 'answered', outcome: { approved: true }, callId: 'c' }) as never;

test.each<[string, CallCard]>([
  ['waits for a person', card('c', { status: 'waiting', completedAt: undefined }, asked('approval'))],
  ['a person has approved', card('c', {}, asked('approval'))],
  ['a person has answered', card('c', {}, asked('question'))],
  ['waits', card('c', { status: 'waiting', until: at(9) })],
  ['runs', card('c', { status: 'running' })],
  ['has failed', card('c', { status: 'failed', error: 'No.' })],
  ['is unknown', card('c', { status: 'unknown' })],
  ['is undone', card('c', { status: 'undone' })],
  ['could not be undone', card('c', { undoError: 'No.' })],
  ['was interrupted', card('c', { kind: 'wait', until: at(9) })],
  ['has made a file', card('c', { result: { chart: file } })],
  ['a guard has judged', card('c', { guards: [{ guard: 'g', at: 'result', verdict: 'replaced' }] })],
  ['has a timer', { ...card('c'), state: { is: 'timed', timer: {} as never } }],
])('a call that %s stays a card (R254)', (_, one) => expect(shapes(folded([item(one)], none))).toEqual(['cc']));

test('the line has the titles, how often, and the time in which something ran (R254)', () => {
  const titled = (...titles: string[]) => titles.map((title, index) => card(`${index}`, { title }));
  expect(foldWords(titled('A', 'B', 'A'))).toBe('A ×2 · B');
  expect(foldWords(titled('A', 'B', 'C', 'D'))).toBe('A · B · C · D');
  expect(foldWords(titled('A', 'B', 'C', 'D', 'E', 'D'))).toBe('A · B · C · 3 more');
  expect(foldWords([card('c', { title: undefined, tool: 'get_loans' })])).toBe('Get loans');
  const ran = (from: number, to: number) => card('c', { startedAt: at(from), completedAt: at(to) });
  expect(foldMs([ran(0, 4), ran(1, 3), ran(10, 12)])).toBe(6_000);
  expect(foldMs([ran(0, 4), card('c', { startedAt: undefined })])).toBeUndefined();
});
