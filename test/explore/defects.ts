import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { exploreInProcesses } from './processes';

/** A defect to plant: words of core's files, and what stands in their place. */
export interface Defect {
  name: string;
  /** By the file's path from the root. */
  changes: Record<string, [from: string, to: string][]>;
}

const root = join(__dirname, '../..');

/** The ten that an adversary found, and some more. */
export const defects: Defect[] = [
  {
    name: 'a table effect whose answer was lost is committed again',
    changes: {
      'core/store/table.ts': [
        [
          'new TransactWriteCommand(command)',
          'new TransactWriteCommand({ ...command, ClientRequestToken: randomUUID() })',
        ],
      ],
      'core/loop/run-tool.ts': [["?.status === 'answered'", '?.status !== null']],
    },
  },
  {
    name: 'a later attempt that surely failed forgets what an earlier one may have done',
    changes: {
      'core/calls/call-state.ts': [
        [
          "return isRunning ? { status: 'queued', uncertain } : undefined;",
          "return isRunning ? { status: 'queued', uncertain: undefined } : undefined;",
        ],
        ["uncertain: lost };\n    case 'give-up'", "uncertain: undefined };\n    case 'give-up'"],
      ],
    },
  },
  {
    name: 'a reply that was cut off grows',
    changes: { 'core/store/pieces.ts': [['stored.some(isEnd) ? [] : [end]', '[]']] },
  },
  {
    name: 'a deleted conversation hears from a sub-agent',
    changes: {
      'core/runs/append.ts': [['if (!current.owner)', 'if (!current.conversationId)']],
      'core/conversation/children.ts': [['if (!meta.owner)', 'if (!meta.conversationId)']],
    },
  },
  {
    name: 'only the last of the runs after a delegated one is undone',
    changes: { 'core/conversation/children.ts': [['undoFrom: firstRun, segment', 'segment']] },
  },
  {
    name: 'effects are undone by the time of their completion',
    changes: {
      'core/rollback/rollback.ts': [
        [
          'calls.findLast(isToBeUndone)',
          "calls.filter(isToBeUndone).sort((a, b) => ((a.completedAt ?? '') < (b.completedAt ?? '') ? 1 : -1))[0]",
        ],
      ],
    },
  },
  {
    name: 'an outcome is kept although the call has been claimed meanwhile',
    changes: {
      'core/loop/open-calls.ts': [['const outcome = outcomeFor(current);', 'const outcome = outcomeFor(call);']],
    },
  },
  {
    name: 'what a tool writes into a deleted conversation stays',
    changes: {
      'core/calls/change-call.ts': [['ttl: call.ttl ?? null }', '}']],
      'core/calls/settle.ts': [["ttl !== undefined && 'put' in row", "ttl === null && 'put' in row"]],
    },
  },
  {
    name: 'a fork that broke off is made as it is asked for the second time',
    changes: {
      'core/conversation/fork.ts': [['? JSON.parse(there.forking)', '? requested']],
    },
  },
  {
    name: 'a lost connection throws a paid reply away',
    changes: {
      'core/store/table.ts': [
        ["['TimeoutError', 'ECONNRESET', ", '['],
        ['busy.has(code) || ', ''],
      ],
    },
  },
  {
    name: 'a sub-agent reports its latest run',
    changes: {
      'core/conversation/children.ts': [
        [
          'const { agent, status, reason, runId: id, lastSeq, sources } = parent!.outcome!;',
          'const { agent, status, reason, id, sources } = run!; const lastSeq = 1e9;',
        ],
        ['{ conversationId, parent }: Meta)', '{ conversationId, parent: _, run }: Meta)'],
      ],
    },
  },
  {
    name: 'a cancelled run leaves its calls open',
    changes: { 'core/calls/close.ts': [['!isSettled(call.status) && !letFinish(call)', 'isSettled(call.status)']] },
  },
  {
    name: 'a run reserves anew, and keeps what it had reserved',
    changes: { 'core/runs/spending.ts': [['left ? [unspending(owner, left)] : []', '[]']] },
  },
  {
    name: 'a run that ends keeps what it has reserved',
    changes: { 'core/store/reservations.ts': [["run.status === 'running' && !isOverdrawn", '!isOverdrawn']] },
  },
  {
    name: 'a timer that has fired stays counted',
    changes: { 'core/timers/fire-timer.ts': [['row, ...noLongerCounted(timer)]', 'row]']] },
  },
  {
    name: 'what is closed stays listed',
    changes: { 'core/calls/callback.ts': [["remove: ['openFor', ...(resumes", 'remove: [...(resumes']] },
  },
  {
    name: 'a timer does not look whether it has fired',
    changes: {
      'core/timers/fire-timer.ts': [
        ["if (timer?.status !== 'active') return { answer: done };", 'if (!timer) return { answer: done };'],
      ],
    },
  },
  {
    name: 'parts of a replaced result are read with those of the new one',
    changes: {
      'core/calls/result.ts': [
        [
          'partKeys(call).map((sk) => rows.get(sk)!)',
          '[...rows].flatMap(([sk, data]) => (sk.includes(call.id) ? [data] : []))',
        ],
      ],
    },
  },
  {
    name: 'a call that waits for a person is given up',
    changes: {
      'core/calls/call-state.ts': [
        [
          "return status === 'queued' || isRunning ? or('failed') : undefined;",
          "return isOpen ? or('failed') : undefined;",
        ],
      ],
      'core/calls/change-call.ts': [
        ["if (!callback && (waitsForCallback || fate === 'open'))", "if (!callback && fate === 'open')"],
      ],
      'core/loop/open-calls.ts': [
        ['if (isAsking(call)) {', 'if (isAsking(call) && !outcomeNow(call)) {'],
        ['if (!outcome || isAsking(current)) return;', 'if (!outcome) return;'],
      ],
    },
  },
  {
    name: 'a call that is withdrawn was not made, says its row, whatever an earlier attempt has done',
    changes: {
      'core/calls/call-state.ts': [
        [
          "return isOpen ? or('cancelled', 'cancelled') : undefined;",
          "return isOpen ? { status: 'cancelled', callback: 'cancelled' } : undefined;",
        ],
      ],
    },
  },
  {
    name: 'a call that is denied was not made, says its row, whatever an earlier attempt has done',
    changes: {
      'core/calls/call-state.ts': [
        ["return or('failed', 'answered');", "return { status: 'failed', callback: 'answered' };"],
      ],
    },
  },
  {
    name: 'copies of rows of a deleted conversation expire',
    changes: { 'core/conversation/fork.ts': [['const { pk: _, ttl: __, ...kept }', 'const { pk: _, ...kept }']] },
  },
  {
    name: 'the execution of a new run leaves that of the old one running',
    changes: {
      'lambdas/executions.ts': [
        ["if (meta.run!.stop) await stopExecution(client, 'loop', meta.run!.stop, stopCauses.woken);", ''],
      ],
    },
  },
  {
    name: 'the execution of a cancelled run is not stopped',
    changes: {
      'lambdas/executions.ts': [["await stopExecution(client, 'loop', name, stopCauses.cancelled);", 'void name;']],
    },
  },
  {
    name: 'Relay resumes nothing',
    changes: { 'lambdas/executions.ts': [['if (taskTokens) await resume(', 'if (!taskTokens) await resume(']] },
  },
];

/**
 * Explores core with a defect in it.
 *
 * @returns after how many schedules it ended, and the promise that was broken last, if one was.
 */
export async function exploreWith(defect: Defect, seeds: number): Promise<{ after: number; broken?: string }> {
  const { schedules, violations } = await exploreInProcesses({
    seeds,
    enough: 1,
    processes: 1,
    plugins: [planted(defect)],
  });
  const broken = violations[0]?.broken.at(-1)?.split('\n')[0];
  if (broken?.startsWith('ReferenceError')) throw new Error(`"${defect.name}" does not run: ${broken}`);
  return { after: schedules, broken };
}

const planted = ({ changes, name }: Defect): Plugin => ({
  name: 'planted',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = relative(root, path);
      if (!changes[file]) return undefined;
      let contents = readFileSync(path, 'utf8');
      for (const [from, to] of changes[file]) {
        if (!contents.includes(from)) return { errors: [{ text: `"${name}" finds no "${from}" in ${file}` }] };
        contents = contents.replace(from, to);
      }
      return { contents, loader: 'ts' };
    });
  },
});
