import type { FilePart } from '../core/base/content/parts';
import { changedAssembly, revoke } from './support/clouds/changed-assembly';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { nudgeToEnd } from './support/stories/patience';
import { call, resultsIn } from './support/stories/transcript';

// An isolated tool's function gets the input and no right to the table. RunIsolated claims and settles for it, and keeps
// what every tool promises: retries, the classes of errors, one outcome, and the undoing.

const nowhere = { table: 'none', conversation: 'none', function: 'none' };

describe('the code of an isolated tool', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil();
  });
  afterAll(() => vigil?.stop());

  async function run(way: string, more: object = {}) {
    vigil.model.script([call('c', 'stranger', { way, ...nowhere, ...more }), { text: 'So be it.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Go');
    // The clock is not moved, because that would end an attempt that is still at work.
    const ended = await ada.finished(id);
    return { ...ended, call: ended.calls[0]!, results: resultsIn(vigil) };
  }

  test('gets the input and the id of the call, and costs no more transitions than another tool (R108, R148)', async () => {
    const { run: ended, call } = await run('answer');
    expect(call).toMatchObject({ status: 'completed', attempts: 1, result: { denied: [] } });
    const { callId, attempt, now, ...more } = JSON.parse((call.result as { said: string }).said);
    expect({ callId, attempt, more }).toEqual({
      callId: call.id,
      attempt: 1,
      more: { timeZone: 'UTC', secrets: {}, variables: [] },
    });
    expect(Date.parse(now)).toBeGreaterThan(0);
    expect(await vigil.states(ended!.id)).toEqual(['CallModel', 'Route', 'stranger', 'CallModel', 'Route', 'Done']);
  });

  test('is denied every row, and every other function, with the credentials that it has (R148)', async () => {
    const ada = await vigil.user();
    vigil.model.script([{ text: 'I keep it.' }]);
    const victim = await ada.start('brief', 'My secret is 42.');
    await ada.finished(victim.id);
    const { call } = await run('trespass', {
      table: vigil.table.name,
      conversation: `C#${victim.id}`,
      function: 'Vigil-CurrentTime',
    });
    expect(call).toMatchObject({ status: 'completed' });
    expect((call.result as { denied: string[] }).denied).toEqual(Array(4).fill('AccessDeniedException'));
  });

  test.each([
    ['tell', 'failed', 1, 'Error: The page does not exist (404).'],
    ['exit', 'failed', 2, 'Error: '],
    ['hang', 'failed', 2, 'Error: It timed out.'],
    ['too long', 'failed', 1, 'Error: The tool ran, but its result does not fit its output schema'],
    ['forged effect', 'failed', 1, 'Error: The tool ran, but its result does not fit its output schema: said'],
  ])(
    'may %s: the call is %s after %i attempts, and the model is told (R24, R94, R148)',
    async (way, status, attempts, told) => {
      const { status: ended, call, results } = await run(way);
      expect(ended).toBe('done');
      expect(call).toMatchObject({ status, attempts });
      expect(results).toEqual([expect.stringContaining(told)]);
    },
  );

  test('may end the run with a terminal error, without a retry (R24, R148)', async () => {
    const { run: ended, call } = await run('terminal');
    expect(ended).toMatchObject({ status: 'failed', reason: 'This site is closed for good.' });
    expect(call.attempts).toBe(1);
  });

  test('may fail once: the terminal has the call and the line of its file, and the next attempt completes it (R126, R148)', async () => {
    const { id, call } = await run('throw once');
    expect(call).toMatchObject({ status: 'completed', attempts: 2 });
    const failure = () =>
      vigil
        .terminal()
        .split(/\n(?! {4}at )/)
        .find((block) => block.includes(id)) ?? '';
    for (let look = 0; look < 500 && !failure(); look++) await new Promise((resolve) => setTimeout(resolve, 10));
    const [line, frame] = failure().split('\n');
    expect(line).toBe(`tester · stranger: failed (attempt 1 of 2, conversation ${id}): Error: The parser is broken.`);
    expect(frame).toContain('at test/agents/tools/stranger.ts:');
  });

  test('may return megabytes: the result is cut as the tool says (R148)', async () => {
    const { call, results } = await run('long');
    expect(call).toMatchObject({ status: 'completed', attempts: 1 });
    expect(results[0]).toMatch(/\[Cut here: the result has 50000\d\d bytes, and at most 2000 /);
  });
});

describe('the files of an isolated tool (R213)', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil();
  });
  afterAll(() => vigil?.stop());
  const code = (number: number) => `
    const bar = '<rect width="60" height="' + ${number} + '"/>';
    savePicture('chart.png', '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="90">' + bar + '</svg>');
    saveFile('chart.csv', 'number\\n${number}\\n')`;
  async function draws(number: number, files: File[] = []) {
    vigil.model.script([call('c', 'run_code', { code: code(number) }), { text: 'Here it is.' }]);
    const ada = await vigil.user('ada');
    const { id } = await ada.client.start({ agent: 'calculator', text: 'Draw it', files });
    const { status, calls } = await nudgeToEnd(vigil, id);
    expect([status, calls[0]!.status]).toEqual(['done', 'completed']);
    return { ada, id, calls, made: (calls[0]!.result as { files: FilePart[] }).files };
  }

  test('which run_code has drawn are stored by a function that may, and opened as a picture, by its owner', async () => {
    const { ada, id, calls, made } = await draws(30);
    expect(calls[0]!.result).toMatchObject({ value: null, printed: [] });
    expect(made).toMatchObject([
      { type: 'file', mediaType: 'image/png', filename: 'chart.png' },
      { type: 'file', mediaType: 'text/csv', filename: 'chart.csv', size: 10 },
    ]);
    expect(made.map(({ sources }) => sources)).toEqual([undefined, undefined]);
    const answer = await fetch((await ada.client.api.file(id, made[0]!.id, 'inline')).url);
    expect(answer.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([bytes.subarray(1, 4).toString(), bytes.length]).toEqual(['PNG', made[0]!.size]);
    const eve = await vigil.user('eve');
    await expect(eve.client.api.file(id, made[0]!.id)).rejects.toMatchObject({ status: 404 });
  });

  test('have the sources of what the agent had read, though the code is the model’s own (R214)', async () => {
    const { made } = await draws(31, [new File(['31'], 'number.txt', { type: 'text/plain' })]);
    expect(made.map(({ sources }) => sources)).toEqual([['file'], ['file']]);
  });

  test('that are not what they say, or too large, are notes in their place, and the result is kept', async () => {
    vigil.model.script([call('c', 'stranger', { way: 'files', ...nowhere }), { text: 'So be it.' }]);
    const { id } = await (await vigil.user()).start('tester', 'Go');
    const { calls } = await nudgeToEnd(vigil, id);
    expect(calls[0]).toMatchObject({ status: 'completed', attempts: 1 });
    const { said, files } = calls[0]!.result as { said: string; files: object[] };
    const note = (words: string) => ({ type: 'text', text: expect.stringContaining(words) });
    expect([said, files]).toEqual([
      'Here.',
      [
        expect.objectContaining({ type: 'file', mediaType: 'text/plain', filename: 'notes.txt', size: 5 }),
        note('[page.png (image/png) was not stored: '),
        note('the file is of another type, not image/png'),
        note('[film.txt (text/plain) was not stored: the files of a result have at most 4000000 bytes of base64'),
      ],
    ]);
  });
});

describe('an isolated tool with an effect', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  beforeEach(async () => {
    [vigil, party] = await Promise.all([startVigil(), startThirdParty()]);
  });
  afterEach(() => Promise.all([vigil?.stop(), party?.stop()]));
  const paying = (cents = 100) => call('c', 'pay_far', { url: party.url, cents });

  test.each<[string, () => Promise<void>]>([
    ['its own function dies', () => vigil.fault({ function: 'PayFar', kind: 'crash', at: 'now' })],
    [
      'the whole cloud dies',
      async () => {
        await vigil.kill();
        await vigil.restart();
      },
    ],
  ])(
    'asks again with the same key when %s between the effect and its record (R27, R119, R148)',
    async (_what, dies) => {
      const held = party.holdNext();
      vigil.model.script([paying(), { text: 'Paid.' }]);
      const { id } = await (await vigil.user()).start('tester', 'Pay');
      await held;
      await dies();
      const { status, calls } = await nudgeToEnd(vigil, id);
      expect(status).toBe('done');
      expect(calls).toMatchObject([{ status: 'completed', attempts: 2, result: { paid: 100 } }]);
      expect(party.requests).toEqual([calls[0]!.id, calls[0]!.id]);
      expect(party.effects).toBe(1);
    },
  );

  test('for which Lambda has no capacity waits for some: more often than its tool may be retried (R148, R168)', async () => {
    await vigil.fault({ function: 'PayFar', kind: 'throttle', at: 'before', times: 5 });
    vigil.model.script([paying(), { text: 'So be it.' }]);
    const { id } = await (await vigil.user()).start('tester', 'Pay');
    const { calls } = await nudgeToEnd(vigil, id);
    expect(calls).toMatchObject([{ status: 'completed', attempts: 6 }]);
    expect(party.effects).toBe(1);
  });

  test.each([
    ['a known', 0],
    ['an unknown', 3],
  ])('of %s outcome is undone once, though it dies after the undoing (R88, R111, R148)', async (_outcome, lost) => {
    if (lost > 0) await vigil.fault({ function: 'PayFar', kind: 'crash', at: 'after', times: lost });
    vigil.model.script([paying(200), call('s', 'schedule', { at: '2031-01-01T08:00:00Z' }), { text: 'As you wish.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Pay');
    await ada.asleep(id);
    await vigil.fault({ function: 'PayFar', kind: 'crash', at: 'after' });
    await ada.cancel(id);
    await vigil.advanceUntil(async () => (await ada.read(id)).status === 'cancelled');
    const { run, calls } = await ada.read(id);
    expect(run!.reason).toBe('Cancelled by the user. 1 of 1 effects undone.');
    expect(calls.map(({ status }) => status)).toEqual(['undone', 'cancelled']);
    expect(party.effectPaths).toEqual(['/pay/200', '/refund/200']);
  });
});

test('a call whose tool is no longer isolated is told so, in a new segment; one whose function may not be invoked has no effect (R127, R140, R148)', async () => {
  const older = changedAssembly((template) => {
    const { Properties } = template.Resources.AgentLoop!;
    const before = String(Properties.DefinitionString);
    Properties.DefinitionString = before.replaceAll('"tool":"stranger"', '"tool":"pay"');
    if (Properties.DefinitionString === before) throw new Error('No state names the tool.');
    revoke(template, 'RunIsolatedRole', 'lambda:InvokeFunction');
  });
  const vigil = await startVigil({ deployment: older });
  try {
    vigil.model.script([call('c', 'stranger', { way: 'answer', ...nowhere }), { text: 'So be it.' }]);
    const { id } = await (await vigil.user()).start('tester', 'Go');
    const { status, run, calls } = await nudgeToEnd(vigil, id);
    expect([status, calls[0]!.status]).toEqual(['done', 'failed']);
    expect(resultsIn(vigil)).toEqual(['Error: The tool "stranger" is not part of this deployment.']);
    expect(await vigil.executions(run!.id)).toHaveLength(2);

    // Lambda rejects the request, so the effect is certainly not there, and the outcome is not unknown.
    vigil.model.script([call('c', 'pay_far', { url: 'http://127.0.0.1:9', cents: 100 }), { text: 'So be it.' }]);
    const paid = await (await vigil.user()).start('tester', 'Pay');
    expect((await nudgeToEnd(vigil, paid.id)).calls).toMatchObject([{ status: 'failed', attempts: 3 }]);
    expect(resultsIn(vigil)[0]).toContain('could not be invoked (AccessDeniedException)');
  } finally {
    await vigil.stop();
  }
});
