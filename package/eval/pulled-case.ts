import type { Callback, Conversation, Message } from 'vigil-client';
import { asksFor } from 'vigil-client/shared';
import { isPlain } from '../../core/base/schemas/definition';
import { clip } from '../../core/base/text/clip';
import type { Act } from './define';

const day = 86_400_000;
/** People answer within a minute when they are there. A case needs no clock for that. */
const atOnceMs = 60_000;
const nameBytes = 60;

/** A case as code, from what its owner has said and decided in a conversation. */
export interface PulledCase {
  /** The text of the file. */
  code: string;
  /** What a case cannot say: messages of other people. */
  left: number;
}

/**
 * Returns the beginning of an eval: what the conversation's owner said and decided, at which times, and the tools that were called. What
 * must hold is for its author to say.
 *
 * @param file the name of the recorded conversation, without its ending.
 * @returns undefined if the owner has said nothing in words.
 */
export function pulledCase(conversation: Conversation, file: string): PulledCase | undefined {
  const { agent, messages, calls, callbacks, usage } = conversation;
  const said = messages.filter(
    ({ role, callId, text }) => role === 'user' && callId === undefined && text.trim() !== '',
  );
  // A member's words have that source.
  const own = said.filter(({ sources, aside }) => !sources?.includes('member') && !aside);
  const [first, ...later] = own;
  if (!first) return undefined;
  const acts = [...later.map(saying), ...callbacks.flatMap(deciding)].sort((one, other) => one.at - other.at);
  const tools = [...new Set(calls.map(({ tool }) => tool))];
  const holds = [
    ...tools.map((tool) => `called(${literal(tool)})`),
    `atMost({ steps: ${Math.max(1, usage.modelCalls)} })`,
  ];
  const code = [
    `import { atMost, ${tools.length > 0 ? 'called, ' : ''}defineEval } from 'vigil/eval';`,
    '',
    `// From recorded/${file}.json. Review both, and say what must hold: what was called then may have been wrong.`,
    'export default defineEval({',
    `  name: ${literal(file)},`,
    `  agent: ${literal(agent)},`,
    '  cases: [',
    '    {',
    `      name: ${literal(clip(first.text.replace(/\s+/g, ' ').trim(), { bytes: nameBytes }, '…'))},`,
    `      says: ${literal(first.text)},`,
    ...(acts.length > 0
      ? ['      later: [', ...timed(first, acts).map((act) => `        ${literal(act)},`), '      ],']
      : []),
    `      holds: [${holds.join(', ')}],`,
    '    },',
    '  ],',
    '});',
    '',
  ].join('\n');
  return { code, left: said.length - own.length };
}

interface TimedAct {
  at: number;
  act: Act;
}

const saying = ({ text, createdAt }: Message): TimedAct => ({ at: Date.parse(createdAt), act: { says: text } });

/** Returns the decision of an approval, or the answer to a question. Those that expired or were withdrawn are none. */
function deciding({ kind, status, tool, callId, outcome, approvers, closedAt }: Callback): TimedAct[] {
  if (status !== 'answered' || closedAt === undefined || !isPlain(outcome)) return [];
  const at = Date.parse(closedAt);
  const { approved, answer, reason, arguments: edited } = outcome;
  // What answers a question without a call is a message.
  if (asksFor(kind, 'answer') && callId !== undefined)
    return typeof answer === 'string' ? [{ at, act: { answer } }] : [];
  if (!asksFor(kind, 'decision') || tool === undefined) return [];
  const group = approvers && 'group' in approvers ? { group: approvers.group } : {};
  if (approved === true)
    return [{ at, act: { approve: tool, ...(isPlain(edited) && { arguments: edited }), ...group } }];
  return [{ at, act: { deny: tool, ...(typeof reason === 'string' && { reason }), ...group } }];
}

/** Each has the time since the one before it. */
function timed({ createdAt }: Message, acts: readonly TimedAct[]): Act[] {
  const times = [Date.parse(createdAt), ...acts.map(({ at }) => at)];
  return acts.map(({ act, at }, index) => {
    const ms = at - times[index]!;
    return ms < atOnceMs ? act : { after: durationOf(ms), ...act };
  });
}

/** In minutes. */
function durationOf(ms: number): string {
  const [days, minutes] = [Math.floor(ms / day), Math.round((ms % day) / 60_000)];
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const time = `${hours ? `${hours}H` : ''}${rest ? `${rest}M` : ''}`;
  return `P${days ? `${days}D` : ''}${time && `T${time}`}`;
}

/** JSON is JavaScript. Nothing in it ends a text. */
const literal = (value: unknown): string => JSON.stringify(value);
