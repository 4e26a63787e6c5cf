import type { Agent } from '../agent/agent';
import type { Caching } from '../agent/model';
import type { StoredMessage } from '../rows/rows';

const minute = 60_000;
/** Providers keep a prefix for at least this long after its last use, and for an hour if they are paid for that. */
const kept = { minutes: 5 * minute, hour: 60 * minute };

/**
 * Decides how long a provider should keep the prefix of a step's request, by the pauses between the agent's requests so far. A pause of
 * more than five minutes is a rest: a sleep, a timer, a person. The requests between two rests are a turn.
 *
 * - After more than an hour, if the agent makes one request at a time: `none`. The write would be lost again. It makes one at a time if
 *   it has no tools, or if it rested before its last request as well.
 * - After a rest of at most an hour: `hour`, as long as the turn is no longer than the one before. A write for an hour costs 0.75 of the
 *   input's price more than one for minutes, and saves 1.15 at the next such rest: the write that is then not repeated, less a read.
 * - Otherwise: `minutes`.
 *
 * A wrong guess costs once: the next pause corrects it. The first wait for an approval is not foreseen, because only the reply asks for it.
 */
export function cacheLasts(
  agent: Pick<Agent, 'name' | 'tools'>,
  messages: readonly StoredMessage[],
  { before, now }: { before: number; now: Date },
): Caching['lasts'] {
  // A summary has a prefix of its own.
  const asked = messages.filter(
    ({ author, seq, covers, usage }) => author === agent.name && seq < before && !covers && usage?.modelCalls,
  );
  const times = [...asked.map(({ createdAt }) => Date.parse(createdAt)), now.getTime()];
  const pauses = times.slice(1).map((time, index) => time - times[index]!);
  const [earlier = 0, last = 0] = [pauses.at(-2), pauses.at(-1)];
  if (last > kept.hour && (agent.tools.length === 0 || earlier > kept.hour)) return 'none';
  const rest = pauses.findLastIndex(isRest);
  const turn = rest - pauses.slice(0, Math.max(0, rest)).findLastIndex(isRest);
  const isWithinTurn = rest >= 0 && pauses.length - rest <= turn;
  return isWithinTurn && pauses[rest]! <= kept.hour ? 'hour' : 'minutes';
}

const isRest = (pause: number): boolean => pause > kept.minutes;
