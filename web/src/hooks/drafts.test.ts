import { withDraft } from './drafts';

test('each place keeps its own draft, until that is sent', () => {
  const two = withDraft(withDraft(new Map(), 'a', 'Half a thought'), 'b', { reason: '' });
  expect([...two]).toEqual([
    ['a', 'Half a thought'],
    ['b', { reason: '' }],
  ]);
  expect([...withDraft(two, 'a', undefined).keys()]).toEqual(['b']);
});
