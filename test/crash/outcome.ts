import type { Conversation } from '../../core/base/state/schemas';
import type { ChatRequest } from '../support/servers/model-server';
import type { Web } from '../support/servers/web';
import type { MortalCloud } from './mortal-cloud';
import type { Story } from './story';
import { runningExecutions } from './table-reader';
import type { World } from './world';

/** What came out of a story, in lines that are the same in every run. */
export interface Outcome {
  /** One line for each thing that is there, in order. */
  facts: string[];
  /** What was paid for: the model's requests, refused ones too, searches and pages. */
  requests: string[];
  /** How many of them may have been in flight at one moment. */
  conversations: number;
}

export async function outcomeOf(
  { facts }: Story,
  {
    world,
    cloud,
    requests,
    web,
  }: { world: World; cloud: MortalCloud; requests: readonly ChatRequest[]; web: Pick<Web, 'searches' | 'reads'> },
): Promise<Outcome> {
  const conversations = await Promise.all(world.conversations.map((id) => world.read(id)));
  const running = await runningExecutions(await cloud.up());
  const lines = [
    ...conversations.flatMap(factsOf),
    `executions that have not ended: ${running}`,
    ...world.thirdParty.effectPaths.map((path) => `effect at a third party: ${path}`).sort(),
    ...((await facts?.(world)) ?? []),
  ];
  return {
    facts: lines.map(normalise),
    requests: [
      ...requests.map(({ messages }) => normalise(JSON.stringify(messages))),
      ...web.searches.map(({ q }) => `a search for ${q}`),
      ...web.reads.map(({ url }) => `a look at ${url}`),
    ],
    conversations: conversations.length,
  };
}

/** What a conversation has come to, one line for each of its parts. */
export function factsOf({ id, status, run, usage, messages, calls, callbacks, timers }: Conversation): string[] {
  const line = (kind: string, ...parts: unknown[]) =>
    `${id} ${kind}: ${parts.map((part) => JSON.stringify(part)).join(' ')}`;
  return [
    line('conversation', status, run?.status, run?.step, run?.reason, usage.modelCalls, usage.toolCalls),
    ...messages.map(({ role, author, text, status: state }) => line('message', role, author, text, state)),
    ...calls
      .toSorted((a, b) => a.step - b.step || a.index - b.index)
      .map((call) => line('call', call.step, call.tool, call.arguments, call.status, call.result, call.error)),
    // A reply in the background that is asked for again has another callback: the requests say how often it was.
    ...callbacks
      .filter(({ kind }) => kind !== 'model')
      .map(({ kind, prompt, status: state, outcome }) => line('callback', kind, prompt, state, outcome)),
    ...timers.map(({ kind, rule, text, tool, status: state }) => line('timer', kind, rule, text, tool, state)),
  ];
}

const differing: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/\b[a-z]+_(?:\d{6}_)?[0-9a-f]{25,32}\w*/g, '<id>'],
  [/127\.0\.0\.1:\d+/g, '<host>'],
  // What dies is late.
  [/ \(This comes late: it is <time>\.\)/g, ''],
];

/** Times, ids and ports differ from run to run. */
export const normalise = (text: string): string =>
  differing.reduce((made, [pattern, word]) => made.replace(pattern, word), text);
