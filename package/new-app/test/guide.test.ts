import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startVigil, type Vigil } from 'vigil/testing';

// The whole app runs on this machine. Only the model is scripted.
let vigil: Vigil;
before(async () => {
  vigil = await startVigil();
});
after(() => vigil?.stop());

test('the guide looks up the opening hours', async () => {
  const answer = { answer: 'We are closed on Mondays.', day: 'Monday' };
  vigil.model.script([call('opening_hours', { day: 'Monday' }), { text: JSON.stringify(answer) }]);
  const visitor = await vigil.user('ada');
  const { id } = await visitor.start('guide', 'Are you open on Monday?');

  const { status, calls, run } = await visitor.finished(id);
  assert.equal(status, 'done');
  assert.deepEqual(calls[0]?.result, { open: 'closed' });
  assert.deepEqual(run?.result, answer);
});
