import { call, message } from '../../../test/support/page/rows';
import { transcript } from './transcript';
import { versionPlaces } from './version-places';

const versions = { ids: ['a', 'b'], index: 0 };

test('versions are shown at their message, or at its first call if it has no words (R159)', () => {
  const messages = [
    message(1, { role: 'user', author: 'ada' }),
    message(2, { text: '', runId: 'r', step: 1 }),
    message(4, { runId: 'r', step: 2 }),
  ];
  const items = transcript({ messages, calls: [call('c')], callbacks: [] }, []);
  const at = (seq: number) => [...versionPlaces(items, messages, new Map([[seq, versions]])).keys()];
  expect([1, 2, 3, 4, 5].map(at)).toEqual([['m1'], ['cc'], ['m4'], ['m4'], []]);
});
