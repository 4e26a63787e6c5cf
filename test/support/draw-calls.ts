import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isSettled } from '../../core/base/state/schemas';
import type { Effect } from '../../core/conversations/agent/tool';
import { type CallEvent, type CallState, callEvents, transition } from '../../core/conversations/calls/call-state';

export const file = join(__dirname, '../../docs/calls.md');

const effects: Effect[] = ['read', 'table', 'idempotent', 'once'];

/** Returns all transitions of a call that are reachable for a tool with this effect. */
export function reachable(effect: Effect): { from: CallState; event: CallEvent; to: CallState }[] {
  const known = new Map<string, CallState>();
  const found: { from: CallState; event: CallEvent; to: CallState }[] = [];
  const look: CallState[] = [{ status: 'queued', attempts: 0 }, ...waiting];
  for (let from = look.pop(); from; from = look.pop()) {
    if (known.has(nameOf(from))) continue;
    known.set(nameOf(from), from);
    for (const event of callEvents) {
      const next = transition(from, event, effect);
      if (!next) continue;
      const { status, uncertain } = next;
      const asks = event === 'ask' || event === 'pause';
      const waitsFor = asks ? 'person' : event === 'wait' || event === 'defer' ? 'outside' : from.waitsFor;
      const keeps = from.paused && event !== 'wait' && !isSettled(status);
      const paused = event === 'pause' || event === 'defer' || (event !== 'ask' && keeps) || undefined;
      // A task that asks the user stays one.
      const isTask = event === 'defer' || (from.isTask && keeps) || undefined;
      const attempts = event === 'claim' ? 1 : from.attempts;
      const to: CallState = { status, uncertain, waitsFor, attempts, paused, isTask };
      found.push({ from, event, to });
      look.push(to);
    }
  }
  return found;
}

/** Calls that wait from their beginning. */
const waiting: CallState[] = (['time', 'person', 'agent'] as const).map((waitsFor) => ({
  status: 'waiting',
  attempts: 0,
  waitsFor,
}));

export const nameOf = ({ status, attempts, uncertain, waitsFor, paused, isTask }: CallState): string => {
  const isOpen = status === 'queued' || status === 'running' || status === 'waiting';
  const kind =
    status === 'waiting'
      ? ` for ${waitedFor[waitsFor!]}`
      : status === 'failed' && waitsFor === 'agent'
        ? ' delegation'
        : '';
  return `${status}${kind}${isOpen && uncertain ? ', uncertain' : ''}${isOpen && paused ? (isTask ? ', a task' : ', paused') : ''}${status === 'queued' && attempts > 0 && !uncertain && !paused ? ' again' : ''}`;
};

const waitedFor = { time: 'a time', person: 'a person', outside: 'work outside', agent: 'an agent' } as const;

const meaning: Record<CallEvent, string> = {
  claim: 'an attempt begins',
  complete: 'the result is there: from an attempt, a delivery or an answer',
  wait: 'an attempt has started work outside, whose outcome will be delivered',
  ask: 'the attempt had no effect: a person must approve it, or answer a question of its server, first',
  pause:
    'the attempt has stopped at a question of its server, which keeps what it has done: the next attempt continues it',
  defer: 'the server works on the call as a task: the next attempt asks it how far it is, and makes no call',
  approve: 'a person has approved the call, or has answered the question',
  fail: '`TellModel`: the attempt had no effect, and the model reads why. Of a waiting call: a person has denied it, or the agent has failed',
  retry:
    '`ToolFailed`: the attempt had no effect. `ToolTerminal` and `ConfigurationError` also end the run, and a retry of it makes the call again',
  lose: 'any other error, or a lost connection: the effect is unknown',
  'give-up':
    'the retries are used up. A call that waits is not given up: its attempt has ended well, although its state has not seen it',
  expire: 'the wait is over without an outcome',
  cancel: 'the run ends before the call, or a message came instead of a decision',
  undo: 'its compensation has run',
  restore:
    'the table was restored from a backup ([details](operations.md#restoring)): what the call has done since is not in it',
};

/** The picture is that of an `idempotent` tool, which has all states. Only the tables tell its forms of a state apart. */
function picture(): string {
  const arrows = new Map<string, Set<CallEvent>>();
  const names = new Set<string>();
  for (const { from, event, to } of reachable('idempotent')) {
    const [before, after] = [formless(from), formless(to)];
    for (const name of [before, after]) names.add(name);
    const arrow = `${idOf(before)} --> ${idOf(after)}`;
    arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(event));
  }
  const long = [...names].filter((name) => /\W/.test(name));
  return [
    'stateDiagram-v2',
    '  [*] --> queued',
    ...long.map((name) => `  state "${name}" as ${idOf(name)}`),
    ...[...arrows].map(([arrow, events]) => `  ${arrow}: ${[...events].join(', ')}`),
  ].join('\n');
}
const formless = (state: CallState): string => nameOf(state).replace(/,.*| again$/, '');
const idOf = (name: string): string => name.replace(/\W+/g, '_');

/** Of a state of a call, what each event makes of it. */
type Row = [state: string, next: Partial<Record<CallEvent, string>>];

function rowsOf(effect: Effect): Row[] {
  const rows = new Map<string, Row[1]>();
  for (const { from, event, to } of reachable(effect))
    rows.set(nameOf(from), { ...rows.get(nameOf(from)), [event]: nameOf(to) });
  return [...rows];
}

/** The rows that are the same for all effects, and then those of each effect, or of several that have the same. */
function tables(): string {
  const all = effects.map((effect) => ({ effect, rows: rowsOf(effect) }));
  const isShared = (row: Row) => all.every(({ rows }) => rows.some((other) => isDeepStrictEqual(other, row)));
  const named = new Map([[table(all[0]!.rows.filter(isShared)), 'Any effect']]);
  for (const { effect, rows } of all) {
    const own = table(rows.filter((row) => !isShared(row)));
    const others = named.get(own);
    named.set(own, `${others ? `${others} and ` : ''}\`${effect}\``);
  }
  return [...named].map(([rows, name]) => `### ${name}\n\n${rows}`).join('\n\n');
}

/** Has the events that change something. */
function table(rows: Row[]): string {
  const events = callEvents.filter((event) => rows.some(([, next]) => next[event]));
  return [
    `| | ${events.join(' | ')} |`,
    `|---|${events.map(() => '---|').join('')}`,
    ...rows.map(([state, next]) => `| ${state} | ${events.map((event) => next[event] ?? '').join(' | ')} |`),
  ].join('\n');
}

/** What each event makes of the callback. */
function fates(): string {
  const fate = new Map<CallEvent, string>();
  for (const effect of effects)
    for (const { from, event } of reachable(effect)) {
      const callback = transition(from, event, effect)?.callback;
      if (callback) fate.set(event, fateWords[callback]);
    }
  return callEvents.flatMap((event) => (fate.has(event) ? [`| \`${event}\` | ${fate.get(event)} |`] : [])).join('\n');
}
const fateWords = {
  open: 'is created',
  keep: 'must still be pending',
  answered: '`answered`',
  expired: '`expired`',
  cancelled: '`cancelled`',
};

export const drawn = (): string => `# The life of a tool call

A call's row has its state, and whether an attempt may have taken effect without a result. This uncertainty stays, whatever later attempts report: such a
call ends \`completed\` or \`unknown\`, never \`failed\` or \`cancelled\`. The transitions are one pure function,
[\`core/conversations/calls/call-state.ts\`](../core/conversations/calls/call-state.ts). \`npx tsx test/support/draw-calls.ts\` draws this page from it, and a test
fails while they differ. The picture is of an \`idempotent\` tool. Only [the tables](#by-the-tools-effect) tell whether a call is uncertain, paused or a
task.

\`\`\`mermaid
${picture()}
\`\`\`

| event | |
|---|---|
${callEvents.map((event) => `| \`${event}\` | ${meaning[event]} |`).join('\n')}

## By the tool's effect

An event with an empty field, or without a column, changes nothing.

${tables()}

An attempt whose call is cancelled before it begins does nothing. [The rollback](rollback.md) says which running calls may finish.

A call that needs an approval, asks a question, delegates or sleeps begins as \`waiting\`. It is not uncertain: no attempt has started.

## The callback

The event that ends a wait also ends its callback, in the same transaction. Only
[\`core/conversations/calls/change-call.ts\`](../core/conversations/calls/change-call.ts) writes a call's status, and only \`closeCallback\` ends a callback. What
differs by the kind of the callback is one table, [\`core/conversations/calls/wait-kinds.ts\`](../core/conversations/calls/wait-kinds.ts), whose head says how to add
a kind.

| event | the callback that the call waits for |
|---|---|
${fates()}
`;

if (require.main === module) writeFileSync(file, drawn());
