import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { loaderFor } from '../infra/bundling/compiled';
import { shippedSources } from '../infra/bundling/entries';
import { assembly } from './support/clouds/assembly';
import { synthesized } from './support/clouds/synthesized';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { startThirdParty } from './support/servers/third-party';

// Before a deployment, `npx vigil check` tells what waits in the table and would break: the next version lacks an agent and its tools.

let vigil: Vigil;
const next = mkdtempSync(join(tmpdir(), 'vigil-next-'));
afterAll(async () => {
  await vigil?.stop();
  rmSync(next, { recursive: true });
});

async function checked(...args: string[]): Promise<{ code: number | null; lines: string[]; error: string }> {
  const script = join(__dirname, '../package/cli/main.ts');
  const env = { ...process.env, PORT: new URL(vigil.url).port };
  const child = spawn(process.execPath, [...loaderFor(script), script, 'check', ...args], { env });
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, lines: out.trim().split('\n'), error };
}

test('a run that waits in a tool which the next version lacks is listed, and the command fails; by the same version it is not (R231)', async () => {
  vigil = await startVigil();
  const party = await startThirdParty();
  try {
    await synthesized(next, shippedSources);
    vigil.model.script(({ messages }: ChatRequest): Reply => {
      if (messages.at(-1)!.role === 'tool') return { text: 'Done.' };
      return { toolCalls: [{ name: 'pay', arguments: { url: party.url, cents: 20_000 } }] };
    });
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'My secret: pay the harbour master');
    const { run, calls } = await ada.waiting(id);
    const ofRun = (lines: string[]) => lines.filter((line) => line.includes(id));

    const before = await checked('--assembly', assembly);
    expect({ ...before, lines: ofRun(before.lines) }).toMatchObject({ lines: [], error: '' });
    const after = await checked('--assembly', next);
    expect(ofRun(after.lines)).toEqual([
      `BREAKS  call ${calls[0]!.id} of ${id}: tool: nobody can approve the call, only deny it: there is no tool "pay"; keep the tool until it is decided, or have it denied.`,
      `BREAKS  meta ${run!.id} of ${id}: run.agent: the run fails at its next step: there is no agent "tester"; keep the agent until its runs have ended, or cancel the run.`,
    ]);
    expect(after.lines.at(-1)).toMatch(/^Checked [\d,]+ rows, .* would break, \d+ would change\.$/);
    expect(after).toMatchObject({ code: 1, error: '' });
    expect(after.lines.join()).not.toContain('My secret');
    // It has written nothing.
    expect((await ada.read(id)).callbacks.map(({ status }) => status)).toEqual(['pending']);
    const whole = await checked('--assembly', next, '--all');
    expect(whole.lines.at(-1)).toContain('rows, all rows.');
    expect(ofRun(whole.lines)).toEqual(ofRun(after.lines));
  } finally {
    await party.stop();
  }
});
