import { pollsWithin, secondsListening } from '../../../core/conversations/replies/pending-reply';
import type { Figure } from '../measure';
import { price } from './prices';

// What a million model calls cost at AWS while the model thinks, without the model's own price: waiting in a function, and waiting in a state.

/** How a reply is waited for. */
const ways = ['streamed', 'background', 'background, webhook', 'durable', 'durable, callback'] as const;
type Way = (typeof ways)[number];

const thinking = [5, 30, 120] as const;

/** CallModel has half a gigabyte. Its own work in a step takes so long. */
const [gigabytes, ownSeconds] = [0.5, 0.15];
/** What CallModel listens to a reply in the background when it begins it, and each time that it asks for it. */
const [secondsOfBegin, secondsOfPoll] = [secondsListening.begun + ownSeconds, secondsListening.fetched + ownSeconds];
/** Of a reply of 1 KB: the step's transactions, and its pieces as it is streamed. */
const [unitsOfStep, unitsOfPieces] = [18, 13];
/** To store that a reply is in the background, and each time that it is asked for: META with its entry, the message, the callback. */
const [unitsOfPending, unitsOfPoll] = [16, 11];
/** The journal of another design: the reply. */
const bytesOfJournal = 2_000;

/** Returns the dollars of a million model calls, by service. */
export function millionModelCalls(seconds: number, way: Way) {
  const isCallback = way === 'durable, callback';
  const isBackground = way.includes('background');
  const isDurable = way.startsWith('durable');
  // A webhook or a callback comes at the end; without one, the reply is asked for.
  const rest = Math.max(0, seconds - secondsOfBegin);
  // The last one fetches it. A webhook leaves one each four minutes, in case that it is lost.
  const untold = isBackground ? pollsWithin(rest) : 0;
  const polls = way.endsWith('webhook') && rest > 0 ? 1 + Math.floor(rest / 240) : untold;
  const listens = secondsOfBegin + polls * secondsOfPoll;
  const works = isBackground
    ? Math.min(seconds + ownSeconds, listens)
    : isCallback
      ? 2 * ownSeconds
      : seconds + ownSeconds;
  const invocations = 1 + 2 * polls + Number(isCallback);
  const transitions = 2 + 3 * polls;
  const ofDurable = (isCallback ? 2 : 1) * price.durableOperation + (bytesOfJournal / 1e9) * price.durableGigabyte;
  const units = unitsOfStep + (isBackground ? unitsOfPending + polls * unitsOfPoll : unitsOfPieces);
  const million = (dollars: number) => dollars * 1e6;
  const by = {
    lambda: million(invocations * price.invocation + works * gigabytes * price.gigabyteSecond),
    states: million(isDurable ? ofDurable : transitions * price.transition),
    // Another design stores the reply somewhere, too: two units for each KB.
    table: million((isDurable ? 2 : units) * price.writeUnit),
  };
  return { ...by, all: by.lambda + by.states + by.table };
}

export const waitingBench = (): Figure[] =>
  thinking.flatMap((seconds) =>
    ways.map((way): Figure => {
      const { all, lambda, states, table } = millionModelCalls(seconds, way);
      const parts = [lambda, states, table].map((one) => one.toFixed(0)).join(' + ');
      return {
        key: `millionModelCalls.${seconds}.${way}`,
        name: `10^6 model calls of ${seconds} s: ${way}`,
        unit: '$',
        value: all,
        note: `Lambda, Step Functions, table: ${parts}`,
      };
    }),
  );
