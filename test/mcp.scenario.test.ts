import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rights } from '../infra/template-rights';
import { assembly, ofStandard } from './support/assembly';
import { call, resultsIn } from './support/transcript';
import { startVigil, type Vigil } from './support/vigil';

// The reference server of MCP. Its reviewed tools are in test/agents/tools/everything.mcp.json.

describe('the tools of an MCP server', () => {
  let server: ChildProcess;
  let vigil: Vigil;
  beforeAll(async () => {
    server = spawn(process.execPath, [join(__dirname, 'support/everything-server.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(server.stdout!, 'data');
    vigil = await startVigil({ variables: { EVERYTHING_URL: String(line).trim() } });
  });
  afterAll(async () => {
    await vigil?.stop();
    server.kill();
  });

  test('are states of a run; their results are words from outside, after which a person approves the next call (R53, R175)', async () => {
    vigil.model.script([
      call('a', 'everything__get_structured_content', { location: 'Chicago' }),
      call('b', 'everything__get_sum', { a: 2, b: 3 }),
      { text: 'Five.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('connected', 'How is the weather, and what is 2 + 3?');
    const { callbacks } = await ada.waiting(id);
    expect(callbacks).toMatchObject([{ tool: 'everything__get_sum', arguments: { a: 2, b: 3 }, sources: ['system'] }]);
    await ada.answer(id, callbacks[0]!.id, { approved: true });
    const { run, calls } = await ada.finished(id);
    expect(calls).toMatchObject([
      { status: 'completed', attempts: 1, result: { conditions: expect.any(String), humidity: expect.any(Number) } },
      { status: 'completed', attempts: 1, result: 'The sum of 2 and 3 is 5.' },
    ]);
    expect(resultsIn(vigil)[1]).toContain('The sum of 2 and 3 is 5.');
    expect(await vigil.states(run!.id)).toEqual(
      ofStandard([
        ...['CallModel', 'Route', 'everything__get_structured_content'],
        ...['CallModel', 'Route', 'AwaitCallback', 'CallModel', 'Route', 'everything__get_sum'],
        ...['CallModel', 'Route', 'Done'],
      ]),
    );
  });

  test('run at once; one without an answer has an unknown outcome and is not repeated (R111, R175)', async () => {
    vigil.model.script([
      {
        toolCalls: [
          { id: 'a', name: 'everything__trigger_long_running_operation', arguments: { duration: 600, steps: null } },
          { id: 'b', name: 'everything__get_tiny_image', arguments: {} },
        ],
      },
      { text: 'So be it.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('connected', 'Go');
    const { calls } = await ada.finished(id);
    expect(calls).toMatchObject([
      { status: 'unknown', attempts: 1 },
      { status: 'completed', result: expect.stringMatching(/\[image of the type image\/png, \d+ bytes: not shown\]/) },
    ]);
    expect(resultsIn(vigil)[0]).toContain('The MCP server everything did not answer within 5 seconds.');
  });
});

test('one function serves them all; it may read no row, and RunIsolated invokes it (R148, R175)', () => {
  const may = rights(JSON.parse(readFileSync(join(assembly, 'Vigil.template.json'), 'utf8')));
  expect(may.Everything!.filter((right) => !/^(logs|xray):/.test(right))).toEqual([]);
  expect(Object.keys(may).filter((id) => id.startsWith('Everything'))).toEqual(['Everything']);
  expect(may.RunIsolated).toContain('lambda:InvokeFunction on Everything.Arn');
});
