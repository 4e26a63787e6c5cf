import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { loaderFor } from '../infra/bundling/compiled';
import { assembly } from './support/clouds/assembly';
import { changedAssembly } from './support/clouds/changed-assembly';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { startThirdParty } from './support/servers/third-party';
import { call } from './support/stories/transcript';

// Before a deployment, `npx vigil check` tells what waits in the table and would break: the next version lacks an agent and its tool.

let vigil: Vigil;
afterAll(() => vigil?.stop());

/** Returns the assembly of a version without the agent `tester` and the tool `pay`. */
function nextVersion(): string {
  const next = changedAssembly(() => undefined);
  const definitions = join(next, 'agents/index.js');
  renameSync(definitions, join(next, 'agents/before.js'));
  const code = `const { shipped } = require('./before.js');
    const without = (all, name) => new Map([...all].filter(([one]) => one !== name));
    exports.shipped = { ...shipped, agents: without(shipped.agents, 'tester'), tools: without(shipped.tools, 'pay') };`;
  writeFileSync(definitions, code);
  return next;
}

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
    vigil.model.script([call('p', 'pay', { url: party.url, cents: 20_000 })]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'My secret: pay the harbour master');
    const { run, calls } = await ada.waiting(id);
    const ofRun = (lines: string[]) => lines.filter((line) => line.includes(id));

    const before = await checked('--assembly', assembly);
    expect({ ...before, lines: ofRun(before.lines) }).toMatchObject({ lines: [], error: '' });
    const after = await checked('--assembly', nextVersion());
    expect(ofRun(after.lines)).toEqual([
      `BREAKS  call ${calls[0]!.id} of ${id}: tool: nobody can approve the call, only deny it: there is no tool "pay"; keep the tool until it is decided, or have it denied.`,
      `BREAKS  meta ${run!.id} of ${id}: run.agent: the run fails at its next step: there is no agent "tester"; keep the agent until its runs have ended, or cancel the run.`,
    ]);
    expect(after.lines.at(-1)).toMatch(/^Checked [\d,]+ rows, .* would break, \d+ would change\.$/);
    expect(after).toMatchObject({ code: 1, error: '' });
    expect(after.lines.join()).not.toContain('My secret');
    // It has written nothing.
    expect((await ada.read(id)).callbacks.map(({ status }) => status)).toEqual(['pending']);
  } finally {
    await party.stop();
  }
});
