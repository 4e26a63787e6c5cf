import type { FilePart } from '../core/base/content/parts';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { startThirdParty } from './support/servers/third-party';
import { stopAfterEach } from './support/stop-after-each';
import { nudgeToEnd } from './support/stories/patience';
import { call, resultsIn } from './support/stories/transcript';

// An isolated tool's function gets the input and no right to the table. RunIsolated claims and settles for it, and keeps
// what every tool promises: retries, the classes of errors, one outcome, and the undoing.

const stopped = stopAfterEach();
const nowhere = { table: 'none', conversation: 'none', function: 'none' };

describe('the code of an isolated tool', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil();
  });
  afterAll(() => vigil?.stop());

  async function run(way: string) {
    vigil.model.script([call('c', 'stranger', { way, ...nowhere }), { text: 'So be it.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Go');
    const ended = await ada.finished(id);
    return { ...ended, call: ended.calls[0]! };
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

  test('may say what is wrong, exit, hang, return too much or what forges an effect, fail once, and trespass: each call ends, the model is told, and every row and function is denied to it (R24, R94, R126, R148)', async () => {
    const ada = await vigil.user();
    vigil.model.script([{ text: 'I keep it.' }]);
    const victim = await ada.start('brief', 'My secret is 42.');
    await ada.finished(victim.id);
    const trespass = { table: vigil.table.name, conversation: `C#${victim.id}`, function: 'Vigil-CurrentTime' };
    const unfit = 'Error: The tool ran, but its result does not fit its output schema';
    const ways: [way: string, status: string, attempts: number, told: string | RegExp, more?: object][] = [
      ['tell', 'failed', 1, 'Error: The page does not exist (404).'],
      ['exit', 'failed', 2, 'Error: '],
      ['forged effect', 'failed', 1, `${unfit}: said`],
      ['throw once', 'completed', 2, '"attempt'],
      ['hang', 'failed', 2, 'Error: It timed out.'],
      ['too long', 'failed', 1, unfit],
      ['long', 'completed', 1, /\[Cut here: the result has 50000\d\d bytes, and at most 2000 /],
      ['trespass', 'completed', 1, 'AccessDenied', trespass],
    ];
    // Not at once, because each has three seconds.
    const replies = ways.map(([way, , , , more], nth) => call(`c${nth}`, 'stranger', { way, ...nowhere, ...more }));
    vigil.model.script([...replies, { text: 'So be it.' }]);
    const { id } = await ada.start('tester', 'Go');
    // The clock is not moved, because that would end an attempt that is still at work.
    const { status, calls } = await ada.finished(id);
    expect(status).toBe('done');
    expect(calls).toMatchObject(ways.map(([, ended, attempts]) => ({ status: ended, attempts })));
    const said = ways.map(([, , , told]) =>
      typeof told === 'string' ? expect.stringContaining(told) : expect.stringMatching(told),
    );
    expect(resultsIn(vigil)).toEqual(said);
    expect((calls.at(-1)!.result as { denied: string[] }).denied).toEqual(Array(4).fill('AccessDeniedException'));

    // The terminal has the call that failed once, and the line of its file.
    const failure = () =>
      vigil
        .terminal()
        .split(/\n(?! {4}at )/)
        .find((block) => block.includes(id) && block.includes('The parser is broken.')) ?? '';
    for (let look = 0; look < 500 && !failure(); look++) await new Promise((resolve) => setTimeout(resolve, 10));
    const [line, frame] = failure().split('\n');
    expect(line).toBe(`tester · stranger: failed (attempt 1 of 2, conversation ${id}): Error: The parser is broken.`);
    expect(frame).toContain('at test/agents/tools/stranger.ts:');
  });

  test('may end the run with a terminal error, without a retry (R24, R148)', async () => {
    const { run: ended, call } = await run('terminal');
    expect(ended).toMatchObject({ status: 'failed', reason: 'This site is closed for good.' });
    expect(call.attempts).toBe(1);
  });
});

test('the files that run_code has drawn are stored by a function that may, with the sources of what the agent had read, and opened by their owner; what is not what it says, or too large, is a note in its place (R213, R214)', async () => {
  const vigil = stopped(await startVigil());
  const code = `
    const bar = '<rect width="60" height="30"/>';
    savePicture('chart.png', '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="90">' + bar + '</svg>');
    saveFile('chart.csv', 'number\\n30\\n')`;
  const toolCalls = [
    { id: 'c', name: 'run_code', arguments: { code } },
    { id: 's', name: 'stranger', arguments: { way: 'files', ...nowhere } },
  ];
  const ada = await vigil.user('ada');
  const drawn = async (agent: string, files: File[], ...calls: typeof toolCalls) => {
    vigil.model.script([{ toolCalls: calls }, { text: 'Here it is.' }]);
    const { id } = await ada.client.start({ agent, text: 'Draw it', files });
    const ended = await nudgeToEnd(vigil, id);
    // On a busy machine the sandbox may reach its time limit, and another attempt follows.
    expect([ended.status, ended.calls[0]!.status]).toEqual(['done', 'completed']);
    return { id, result: ended.calls[0]!.result as { files: FilePart[] } };
  };
  const { id, result } = await drawn('calculator', [], toolCalls[0]!);
  expect(result).toMatchObject({
    value: null,
    printed: [],
    files: [
      { type: 'file', mediaType: 'image/png', filename: 'chart.png' },
      { type: 'file', mediaType: 'text/csv', filename: 'chart.csv', size: 10 },
    ],
  });
  const [picture] = result.files;
  expect(result.files.map(({ sources }) => sources)).toEqual([undefined, undefined]);
  const answer = await fetch((await ada.client.api.file(id, picture!.id, 'inline')).url);
  expect(answer.headers.get('content-type')).toBe('image/png');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([bytes.subarray(1, 4).toString(), bytes.length]).toEqual(['PNG', picture!.size]);
  const eve = await vigil.user('eve');
  await expect(eve.client.api.file(id, picture!.id)).rejects.toMatchObject({ status: 404 });

  // Though the code is the model's own.
  const read = await drawn('calculator', [new File(['31'], 'number.txt', { type: 'text/plain' })], toolCalls[0]!);
  expect(read.result.files.map(({ sources }) => sources)).toEqual([['file'], ['file']]);

  const note = (words: string) => ({ type: 'text', text: expect.stringContaining(words) });
  expect((await drawn('tester', [], toolCalls[1]!)).result).toMatchObject({
    said: 'Here.',
    files: [
      { type: 'file', mediaType: 'text/plain', filename: 'notes.txt', size: 5 },
      // What is announced as a picture is a page: it is shown as none.
      { type: 'file', mediaType: 'text/plain', filename: 'page.png' },
      { type: 'file', mediaType: 'text/plain' },
      note('[film.txt (text/plain) was not stored: the files of a result have at most 4000000 bytes of base64'),
    ],
  });
});

test('the effects of an isolated tool, of known and of unknown outcome, are undone once, though it dies after the undoing (R88, R111, R148)', async () => {
  const party = stopped(await startThirdParty());
  const vigil = stopped(await startVigil());
  const paying = (cents: number) => call(`c${cents}`, 'pay_far', { url: party.url, cents });
  vigil.model.script([paying(100), paying(200), call('s', 'schedule', { at: '2031-01-01T08:00:00Z' })]);
  const ada = await vigil.user();
  await vigil.fault({ function: 'PayFar', kind: 'crash', at: 'after', nth: 2, times: 3 });
  const { id } = await ada.start('tester', 'Pay');
  await vigil.advanceUntil(async () => (await ada.read(id)).status === 'sleeping');
  expect((await ada.read(id)).calls.map(({ status }) => status)).toEqual(['completed', 'unknown', 'waiting']);
  await vigil.fault({ function: 'PayFar', kind: 'crash', at: 'after' });
  await ada.cancel(id);
  await vigil.advanceUntil(async () => (await ada.read(id)).status === 'cancelled');
  const { run, calls } = await ada.read(id);
  expect(run!.reason).toBe('Cancelled by the user. 2 of 2 effects undone.');
  expect(calls.map(({ status }) => status)).toEqual(['undone', 'undone', 'cancelled']);
  expect(party.effectPaths).toEqual(['/pay/100', '/pay/200', '/refund/200', '/refund/100']);
});
