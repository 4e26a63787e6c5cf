import { defineAgent } from '../../core/conversations/agent/agent';
import { type Registry, registry } from '../../core/conversations/agent/registry';
import type { People } from '../../core/conversations/agent/tool';
import { schedule } from '../../tools/timers/schedule';
import { fileTools } from './file-tools';
import { explored } from './guards';
import { randomOf } from './random';
import { type Programs, programsFor } from './step-functions';
import { type Features, someFeatures, toolWith } from './tools';

/** A deployment of an exploration: its agents and tools, and the state machines that its template has. */
export interface Deployment extends Registry {
  programs: Programs;
}

/** So many different deployments are explored. Schedules share them, as the runs of a deployment do. */
export const deploymentCount = 48;
/** Whether the agents of a deployment have a guard. */
export const isGuarded = (number: number): boolean => number % 6 === 5;
const deployments = new Map<string, Deployment>();

/** @param version of its code: the second one has some other tools, other policies, and tries its tools otherwise. */
export function deploymentOf(number: number, version: 1 | 2 = 1): Deployment {
  const name = `${number} ${version}`;
  const made = deployments.get(name) ?? makeDeployment(number, version);
  deployments.set(name, made);
  return made;
}

/** The tools that every deployment has: those of the most common stories. */
const common: Features[] = [
  { effect: 'read', size: 'small' },
  { effect: 'idempotent', undo: true, size: 'small' },
  { effect: 'once', approval: 'before', standing: true, undo: true, size: 'small' },
  { effect: 'table', size: 'small' },
  { effect: 'idempotent', approval: 'before', approvers: 'several', undo: true, size: 'small' },
];

function makeDeployment(number: number, version: 1 | 2): Deployment {
  const random = randomOf(number + 1);
  const maxAttempts = (number + version - 1) % 3;
  const generated = Array.from({ length: 6 }, () => someFeatures(random));
  const all = [...common, ...generated].map((features, index) =>
    toolWith(`d${number}_t${index}`, features, maxAttempts),
  );
  // The first version has four of the generated ones; the second has two of these no longer, and two others.
  const from = common.length + (version - 1) * 2;
  const own = [...all.slice(0, common.length), ...all.slice(from, from + 4)];
  const [look, pay, , note] = own as [(typeof own)[0], (typeof own)[0], unknown, (typeof own)[0]];
  const base = {
    purpose: 'p',
    instructions: 'i',
    model: 'm',
    limits: { steps: 12 },
    holdFailedDays: number % 2,
    ...(isGuarded(number) && { guards: [explored] }),
  };
  const model = number % 2 ? ['m', 'n'] : 'm';
  const ofFiles = fileTools(number, maxAttempts);
  const tools = [...own, schedule, ...ofFiles];
  const escalation = { afterSeconds: 900, to: { group: 'board' } };
  const people: People[] = [
    { group: 'desk', purpose: 'p', escalation, expiresInSeconds: 7_200, mayStepIn: number % 3 ? true : undefined },
  ];
  const made = registry([
    defineAgent({ ...base, name: 'merging', model, tools, delegates: ['helper'], handOffs: ['queueing'], people }),
    defineAgent({
      ...base,
      name: 'interrupting',
      model,
      tools,
      delegates: ['helper'],
      people,
      onMessage: version === 1 ? 'interrupt' : 'merge',
    }),
    defineAgent({ ...base, name: 'queueing', tools, delegates: ['helper'], onMessage: 'queue' }),
    defineAgent({ ...base, name: 'asking', tools, people, end: { phrase: 'THE END' } }),
    defineAgent({ ...base, name: 'helper', tools: [look, pay, note, schedule, ...ofFiles] }),
  ]);
  return { ...made, programs: programsFor([...made.tools.values()]) };
}
