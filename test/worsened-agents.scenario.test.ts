import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agents } from '../agents';
import { clip } from '../core/base/text/clip';
import { bankEval } from '../evals/bank.eval';
import { chatEval } from '../evals/chat.eval';
import { reminderEval } from '../evals/reminder.eval';
import { travelEval } from '../evals/travel.eval';
import { root } from '../infra/bundling/entries';
import { openStandIns, type StandIns } from '../local/npm-start/stand-ins';
import { type StandInModel, startStandInModel } from '../local/stand-in-model';
import type { Eval } from '../package/eval';
import { playEvals } from '../package/eval/play';
import { type Change, changes, changesOf } from './agents/worse';
import { scenarioSources, synthesized } from './support/clouds/synthesized';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { duties, flat, obey } from './support/servers/obedient-model';

// Are the shipped evals sensitive? Their agents are made worse on purpose, five times each, and an obedient stand-in plays them, whose
// behaviours are bound to sentences of the instructions. It shows that the evals notice what such a change does, and nothing about how a
// language model would take it.

const evals: Eval[] = [reminderEval, travelEval, chatEval, bankEval];
/** The cases that show these changes. */
const showing = (some: Change[]): Eval[] =>
  evals.map((one) => ({
    ...one,
    cases: one.cases.filter(({ name }) => some.some((change) => change.eval === one.name && change.case === name)),
  }));

describe('agents that are made worse on purpose', () => {
  let vigil: Vigil;
  let standIns: StandIns;
  let model: StandInModel;
  let reply = obey;
  let folder: string;
  const agentsFolder = '.vigil/test/worse';
  beforeAll(async () => {
    [standIns, model] = await Promise.all([
      openStandIns({}),
      startStandInModel({ pauseMs: 0, reply: (request) => reply(request) }),
    ]);
    folder = mkdtempSync(join(tmpdir(), 'vigil-worse-'));
    mkdirSync(join(root, agentsFolder), { recursive: true });
    vigil = await startVigil({ variables: { ...standIns.variables, OPENAI_BASE_URL: model.url } });
  });
  afterAll(async () => {
    await vigil?.stop();
    await Promise.all([standIns?.stop(), model?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  test('each change names a case, and each duty of the obedient model is a sentence of its agent (R233)', () => {
    for (const one of changes)
      expect(evals.find(({ name }) => name === one.eval)!.cases.map(({ name }) => name)).toContain(one.case);
    for (const { agent, sentence } of duties)
      expect(flat(String(agents.find(({ name }) => name === agent)!.instructions))).toContain(sentence);
  });

  test('a model that only says “All right.” fails all cases (R233)', async () => {
    reply = () => ({ text: 'All right.' });
    try {
      const held = (await playEvals(vigil, evals)).filter(({ holds }) => holds);
      expect(held.map((one) => `${one.eval}: ${one.case}`)).toEqual([]);
    } finally {
      reply = obey;
    }
  }, 1_800_000);

  test('the shipped evals find at least four of five, which the agents without them do not show (R233)', async () => {
    const before = await playEvals(vigil, showing(changes));
    expect(before.filter(({ holds }) => !holds)).toEqual([]);
    const found = new Map<Change, string>();
    for (const round of [0, 1, 2, 3, 4]) {
      writeFileSync(
        join(root, agentsFolder, 'index.ts'),
        `import { worsened } from '../../../test/agents/worse';\nexport const shipped = worsened(${round});\n`,
      );
      const assembly = join(folder, String(round));
      await synthesized(assembly, { ...scenarioSources, agents: agentsFolder });
      await vigil.deploy(assembly);
      const some = changesOf(round);
      for (const { eval: name, case: ofCase, holds, problem, scores } of await playEvals(vigil, showing(some))) {
        const change = some.find((one) => one.eval === name && one.case === ofCase)!;
        // The scorers of the case come after those of all cases.
        const why = scores.findLast(({ score }) => score < 1);
        if (!holds) found.set(change, problem ?? clip(`${why?.name}: ${why?.why}`, { characters: 200 }));
      }
    }
    const table = changes.map(
      (one) =>
        `${one.eval.padEnd(9)} ${(found.has(one) ? 'found' : 'MISSED').padEnd(7)} ${one.what}\n${' '.repeat(18)}${found.get(one) ?? ''}`,
    );
    process.stdout.write(`${table.join('\n')}\n`);
    for (const { name } of evals) {
      const missed = changes.filter((one) => one.eval === name && !found.has(one));
      expect([name, missed.length <= 1, missed.map(({ what }) => what)]).toEqual([name, true, expect.anything()]);
    }
  }, 1_800_000);
});
