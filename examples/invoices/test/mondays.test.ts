import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startVigil, userId } from 'vigil/testing';

test('each Monday at nine in Berlin, the agent works for the users that the schedule names', async () => {
  await using vigil = await startVigil({ variables: { CHASED_USERS: userId('ada') } });
  const result = { summary: 'Nothing is overdue.', reminded: [], escalated: [] };
  vigil.model.script(() => ({ text: JSON.stringify(result) }));
  const ada = await vigil.user('ada');

  // Four weeks, and a day for clocks that go back.
  await vigil.advance('P29D');
  const [timer] = (await ada.client.api.timers()).timers;
  assert.equal(timer?.schedule, 'chaser/weekly-chase');
  const { messages, run } = await ada.finished(timer.conversationId);
  const times = messages.filter(({ role }) => role === 'system').map(({ createdAt }) => inBerlin(createdAt));
  assert.deepEqual(times.slice(0, 4), ['Mon 09:00', 'Mon 09:00', 'Mon 09:00', 'Mon 09:00']);
  assert.deepEqual(run?.result, result);
});

const inBerlin = (time: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })
    .format(new Date(time))
    .replace(',', '');
