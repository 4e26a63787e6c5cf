import { askingIn, deployment, order, orderLater } from '../../../test/support/stories/asking';
import { stepsIn, testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { todosIn } from '../../../test/support/tables/todos';
import { defineAgent } from '../../conversations/agent/agent';
import { registry } from '../../conversations/agent/registry';
import { callIdOf, readCall, startAttempt } from '../../conversations/calls/call';
import { readCallback } from '../../conversations/calls/callback';
import { readTimer } from '../../conversations/calls/timer';
import { key } from '../../conversations/rows/keys';
import { readMeta, write } from '../../conversations/store/table';
import { renewRun } from './renew-run';
import { renewTimer } from './renew-timer';
import { readOpenRows } from './sweep';

const now = new Date('2026-11-23T08:00:00Z');
const later = new Date('2026-11-23T09:00:00Z');
const tool = (effect: 'once' | 'idempotent' | 'read') => testTool(effect, { effect });
const tools = [tool('once'), tool('idempotent'), tool('read')];
const agent = defineAgent({ name: 'tester', purpose: 'p', instructions: 'i', model: 'm', tools });
const ofTools = registry([agent]).tools;

const table = tableOfTests();

/** A run whose first step has called all three tools. */
async function calling() {
  const steps = stepsIn(table, now, agent);
  const { id, at } = await steps.given();
  const toolCalls = tools.map(({ name }) => ({ id: name, name, arguments: '{}' }));
  await steps.commit(at, await steps.begin(at), { text: '', toolCalls });
  const calls = async () => Promise.all(tools.map((_, index) => readCall(table, id, callIdOf(at.runId, 1, index))));
  const renewed = (isRestored: boolean, from = 1) =>
    renewRun(table, ofTools, id, { runId: at.runId, from, to: 4, isRestored }, later);
  return { id, at, calls, renewed };
}

test('a renewed run is in the free segment, asks for its execution and stops the old one; calls stay as they are (R169)', async () => {
  const { id, at, calls, renewed } = await calling();
  expect(await renewed(false)).toBe(true);
  const meta = await readMeta(table, id);
  expect(meta).toMatchObject({ run: { segment: 4, segmentStartedAt: later.toISOString(), step: 1 } });
  const todos = await todosIn(table, id);
  expect(todos).toContainEqual(expect.objectContaining({ does: 'start', segment: 4 }));
  const stopped = [1, 2, 3].map((segment) => expect.objectContaining({ execution: `${at.runId}-${segment}` }));
  expect(todos).toEqual(expect.arrayContaining(stopped));
  expect((await calls()).map((call) => call!.status)).toEqual(['queued', 'queued', 'queued']);
});

test('of several renewals of one segment, one moves the run (R169)', async () => {
  const { renewed } = await calling();
  const moved = await Promise.all([renewed(false), renewed(false), renewed(true)]);
  expect(moved.filter(Boolean)).toHaveLength(1);
});

test('after the table was restored, a `once` call that had not begun is unknown, an `idempotent` one is uncertain, a reading one is made (R169, R111)', async () => {
  const { calls, renewed } = await calling();
  await renewed(true);
  const [once, idempotent, read] = await calls();
  expect(once).toMatchObject({ status: 'unknown', uncertain: true });
  expect(once!.error).toMatch(
    /^The data was restored from a backup, so this may have been done since\. Whether it took/,
  );
  expect(idempotent).toMatchObject({ status: 'queued', uncertain: true });
  expect(read).toMatchObject({ status: 'queued' });
  expect(read).not.toHaveProperty('uncertain');
});

test('one that is a sentence says so in the sentence, which is what people read (R169, R251)', async () => {
  const { id, at, callId } = await askingIn(table, now)(['pay', { cents: 1 }]);
  const sentence = [{ text: 'Pay ' }, { field: 'cents' }, { text: '?' }];
  const { version } = (await readCallback(table, id, callId))!;
  await write(table, id, [{ sk: key.callback(callId), set: { sentence }, onlyIf: { version } }]);
  for (const from of [1, 2])
    await renewRun(table, deployment.tools, id, { runId: at.runId, from, to: from + 1, isRestored: true }, later);
  const warning =
    ' (The data was restored from a backup. This may have been decided and done already: check before you approve.)';
  expect((await readCallback(table, id, callId))!.sentence).toEqual([...sentence, { text: warning }]);
});

test('the sweep finds the timer that expires a webhook, and a timer that is renewed keeps its time (R169)', async () => {
  const { id, callId } = await askingIn(table, now)([orderLater.name]);
  await startAttempt(table, id, callId, orderLater, now);
  const { rows } = await readOpenRows(table, undefined, 1_000);
  const [found] = rows.filter(({ pk, sk }) => pk === key.conversation(id) && sk.startsWith(key.timer('')));
  const timer = (await readTimer(table, id, found!.sk.slice(key.timer('').length)))!;
  expect(timer.callbackId).toBe(`${callId}.webhook`);
  const both = await Promise.all([renewTimer(table, timer, 2, later), renewTimer(table, timer, 2, later)]);
  expect(both.filter(Boolean)).toHaveLength(1);
  const renewed = await readTimer(table, id, timer.id);
  expect(renewed).toMatchObject({ segment: 2, nextAt: timer.nextAt });
  expect(await todosIn(table, id)).toContainEqual({ does: 'wait', timerId: timer.id, segment: 2 });
});

test('the sweep goes through all that is open in parts, and refuses a cursor that is not its own (R169)', async () => {
  await askingIn(table, now)([order.name]);
  const all = (await readOpenRows(table, undefined, 1_000)).rows;
  const parts: object[] = [];
  let cursor: string | undefined;
  do {
    const part = await readOpenRows(table, cursor, 2);
    parts.push(...part.rows);
    cursor = part.cursor;
  } while (cursor);
  expect(all.length).toBeGreaterThan(4);
  expect(parts).toEqual(all);
  await expect(readOpenRows(table, 'e30', 2)).rejects.toThrow('use the cursor of the previous answer');
});
