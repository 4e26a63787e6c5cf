import * as z from 'zod';
import { agents } from '../../agents';
import { registry } from '../../core/conversations/agent/registry';
import { askUser } from '../../tools/ask-user';
import { currentTime } from '../../tools/current-time';
import { recall } from '../../tools/memory/recall';
import { remember } from '../../tools/memory/remember';
import { cancelTimer } from '../../tools/timers/cancel-timer';
import { listTimers } from '../../tools/timers/list-timers';
import { remindLater } from '../../tools/timers/remind-later';
import { repeat } from '../../tools/timers/repeat';
import { runLater } from '../../tools/timers/run-later';
import { schedule } from '../../tools/timers/schedule';
import { careful } from './careful';
import { accomplice, gullible } from './gullible';
import { online } from './online';
import { anthropic, bedrock, nearServer, otherServer, thinker } from './providers';
import { back, boss, clerk, editor, front, scribe, side, worker } from './team';
import { everything as everythingServer } from './tools/everything';
import { guarded } from './tools/guarded';
import { hang } from './tools/hang';
import { hit } from './tools/hit';
import { hitOnce } from './tools/hit-once';
import { largeResult } from './tools/large-result';
import { misbehave } from './tools/misbehave';
import { order } from './tools/order';
import { orderLater } from './tools/order-later';
import { pay } from './tools/pay';
import { payClaim } from './tools/pay-claim';
import { payFar } from './tools/pay-far';
import { readFile } from './tools/read-file';
import { refund } from './tools/refund';
import { station } from './tools/station';
import { stranger } from './tools/stranger';
import { tally } from './tools/tally';
import { weigh } from './tools/weigh';
import { underTest } from './under-test';

// The agents of the scenarios: the shipped ones, and some for what those do not cover.
const timers = [remindLater, repeat, runLater, listTimers, cancelTimer];
const everything = [
  currentTime,
  schedule,
  askUser,
  hang,
  hit,
  hitOnce,
  misbehave,
  largeResult,
  pay,
  payFar,
  stranger,
  order,
  orderLater,
  weigh,
];

const tester = underTest({
  name: 'tester',
  purpose: 'Goes wherever a test sends it.',
  tools: [...everything, ...timers],
  limits: { steps: 3_000 },
});

/** Whose customers' refunds others approve. */
const cashier = underTest({ name: 'cashier', purpose: 'Gives money back.', tools: [refund, payClaim] });

/** Reads files and makes one of them. */
const bookkeeper = underTest({ name: 'bookkeeper', purpose: 'Adds up files.', tools: [readFile, tally] });

/** Has the tools of the reference MCP server, also behind a door. */
const connected = underTest({
  name: 'connected',
  purpose: 'Uses MCP servers.',
  tools: [...everythingServer.tools(), ...guarded.tools(), ...station.tools()],
  limits: { steps: 20 },
});

const brief = underTest({ name: 'brief', purpose: 'Names no limits.' });

const planner = underTest({
  name: 'planner',
  purpose: 'Plans until the plan is complete, and asks.',
  instructions: 'Plan. Say PLAN COMPLETE when it is.',
  limits: { steps: 20 },
  end: { phrase: 'PLAN COMPLETE' },
});

const interrupted = underTest({
  name: 'interrupted',
  purpose: 'Stops in mid-sentence when somebody speaks.',
  tools: [currentTime, pay, misbehave],
  limits: { steps: 50 },
  onMessage: 'interrupt',
});

const queueing = underTest({
  name: 'queueing',
  purpose: 'Finishes one thing before the next.',
  tools: [currentTime, schedule, misbehave, remindLater],
  limits: { steps: 50 },
  onMessage: 'queue',
});

const busy = underTest({
  name: 'busy',
  purpose: 'Takes no messages while it works.',
  tools: [currentTime, schedule, askUser],
  onMessage: 'reject',
});

const thrifty = underTest({
  name: 'thrifty',
  purpose: 'Has a small budget.',
  model: 'gpt-6.1-terra',
  limits: { steps: 50, tokens: 2_000, seconds: 7_200 },
  tools: [currentTime, schedule],
});

const reviewed = underTest({
  name: 'reviewed',
  purpose: 'Has its calls looked at before they run.',
  tools: [currentTime, hit],
  review: ({ calls }) =>
    new Map(calls.flatMap(({ tool }, index) => (tool === 'hit' ? [[index, 'hitting is not allowed']] : []))),
});

/** Undoes its effects as soon as it fails. */
const rash = underTest({
  name: 'rash',
  purpose: 'Is not held when it fails.',
  tools: [currentTime, pay, misbehave],
  limits: { steps: 50 },
  holdFailedDays: 0,
});

const talkative = underTest({
  name: 'talkative',
  purpose: 'Has a small window.',
  tools: [currentTime, largeResult],
  limits: { steps: 200 },
  contextTokens: 2_000,
});

const mindful = underTest({
  name: 'mindful',
  purpose: 'Remembers.',
  tools: [remember, recall],
  recall: true,
});

/** Has its own provider and its own request settings. */
const elsewhere = underTest({
  name: 'elsewhere',
  purpose: 'Has a provider of its own.',
  instructions: 'You are elsewhere.',
  model: {
    provider: otherServer,
    name: 'deep-model',
    effort: 'high',
    maxOutputTokens: 4_096,
    temperature: 0.5,
    extra: { top_k: 40 },
  },
  tools: [currentTime, schedule],
  handOffs: ['nearby'],
});

/** Always uses the Responses API, whatever the others use. */
const nearby = underTest({
  name: 'nearby',
  purpose: 'Has another provider.',
  instructions: 'You are nearby.',
  model: { provider: nearServer, name: 'gpt-6.1-terra', effort: 'low', verbosity: 'low', maxOutputTokens: 2_048 },
  tools: [currentTime, schedule],
  handOffs: ['elsewhere', 'at-anthropic'],
});

/** Its model thinks for hours. */
const thoughtful = underTest({
  name: 'thoughtful',
  purpose: 'Thinks long.',
  model: { provider: thinker, name: 'gpt-6.2-sol', background: true },
  tools: [currentTime],
  onMessage: 'interrupt',
});

/** Uses Bedrock with the function's role, through an inference profile. */
const atBedrock = underTest({
  name: 'at-bedrock',
  purpose: 'Has a model of Bedrock.',
  model: { provider: bedrock, name: 'us.anthropic.claude-sonnet-5' },
  tools: [currentTime, schedule],
});

/** Uses a guardrail of Bedrock. */
const atGuardrail = underTest({
  name: 'at-guardrail',
  purpose: 'Has a guardrail of Bedrock.',
  model: {
    provider: bedrock,
    name: 'us.anthropic.claude-sonnet-5',
    guardrail: { id: 'gr1abc', version: '3' },
  },
});

/** Uses Anthropic's own API. */
const atAnthropic = underTest({
  name: 'at-anthropic',
  purpose: 'Has a model of Anthropic.',
  instructions: `You are at Anthropic. ${'You follow the rules of the house. '.repeat(200)}`,
  model: { provider: anthropic, name: 'claude-sonnet-5-5', effort: 'low' },
  tools: [currentTime, schedule],
  handOffs: ['nearby'],
});

/** Ends with an object. */
const typed = underTest({
  name: 'typed',
  purpose: 'Answers in a form.',
  tools: [currentTime],
  limits: { steps: 10 },
  output: z.object({ city: z.string(), days: z.int().min(1).describe('How long'), why: z.string().nullable() }),
});

const ofScenarios = [
  atBedrock,
  thoughtful,
  atGuardrail,
  atAnthropic,
  typed,
  mindful,
  elsewhere,
  nearby,
  gullible,
  accomplice,
  online,
  talkative,
  front,
  clerk,
  scribe,
  editor,
  back,
  side,
  boss,
  worker,
  tester,
  connected,
  cashier,
  bookkeeper,
  brief,
  planner,
  interrupted,
  queueing,
  busy,
  thrifty,
  careful,
  reviewed,
  rash,
];
export const shipped = registry([...agents, ...ofScenarios]);
