import type { Callback } from '../../base/state/schemas';

type Kind = Callback['kind'];

/**
 * What differs by the kind of a callback, for which a run waits. What it asks people for is in `asksFor` of the client, because its users ask
 * that as well, and what the page shows in `web/src/rows/wait-kinds.ts`.
 *
 * How to add a kind of wait:
 * 1. Name it in `Callback` (`core/base/state/schemas.ts`), and draw the API's types again: `npx tsx test/support/draw-openapi.ts`, then
 *    `npx tsx packages/client/draw-types.ts`. `tsc` then asks for its row here, in the client and in the page.
 * 2. Create it by `newCallback` when its call begins to wait: in `judge`, or by the event `ask` or `defer` of `changeCall`.
 * 3. Answer it by `answered` (`core/conversations/conversation/answer.ts`), or by `closeCallback` if no call waits for it. It expires and is
 *    cancelled as the others are. A new value in `tells` needs somebody who tells: `tsc` asks for them in `lambdas/executions.ts`.
 */
export interface WaitKind {
  /** Whether a system outside answers the call that waits. Then the callback has the call's id with the kind behind it. */
  fromOutside: boolean;
  /** The state of the loop that waits for it. From `approval`, an approved call continues in its tool's state. */
  awaitedIn: 'approval' | 'callback';
  /** Who works on it elsewhere, and is told when it is cancelled. */
  tells: 'sub-agent' | 'provider' | 'server' | undefined;
  /** What becomes of it when a message replaces its failed run. What is `kept` ends without that run. */
  afterFailure: 'closed' | 'kept';
  /** What its timer is for, if it has one. Otherwise the state that waits is all that ends its time. */
  timer: 'expires' | 'reminds' | undefined;
}

export const waitKinds = {
  approval: { fromOutside: false, awaitedIn: 'approval', tells: undefined, afterFailure: 'closed', timer: 'reminds' },
  question: { fromOutside: false, awaitedIn: 'callback', tells: undefined, afterFailure: 'closed', timer: undefined },
  person: { fromOutside: false, awaitedIn: 'callback', tells: undefined, afterFailure: 'closed', timer: 'reminds' },
  webhook: { fromOutside: true, awaitedIn: 'callback', tells: undefined, afterFailure: 'kept', timer: 'expires' },
  agent: { fromOutside: false, awaitedIn: 'callback', tells: 'sub-agent', afterFailure: 'kept', timer: undefined },
  task: { fromOutside: true, awaitedIn: 'callback', tells: 'server', afterFailure: 'closed', timer: undefined },
  model: { fromOutside: false, awaitedIn: 'callback', tells: 'provider', afterFailure: 'closed', timer: undefined },
} satisfies Record<Kind, WaitKind>;

type OutsideKind = { [K in Kind]: (typeof waitKinds)[K]['fromOutside'] extends true ? K : never }[Kind];

/** Returns the id of the callback by which a call is answered from outside. */
export const outsideId = (callId: string, kind: OutsideKind): string => `${callId}.${kind}`;

const isOutside = (kind: Kind): kind is OutsideKind => waitKinds[kind].fromOutside;
const outsideKinds = (Object.keys(waitKinds) as Kind[]).filter(isOutside);

/** Whether what a call waits for comes from outside, by the callback's id. */
export const isFromOutside = (callId: string, callbackId: string | undefined): boolean =>
  outsideKinds.some((kind) => callbackId === outsideId(callId, kind));

/** The field and the advice for an answer that does not fit the callback's kind. */
export const howTo: Record<Kind, [path: string, words: string]> = {
  question: ['answer', 'this is a question: give an answer in words'],
  approval: ['approved', 'this is an approval: give approved, true or false'],
  person: [
    'callbackId',
    'a person takes this conversation over: the one who has claimed it answers when they give it back',
  ],
  webhook: ['callbackId', 'an outside system delivers this; a person cannot answer it'],
  agent: ['callbackId', 'another agent answers this; a person cannot'],
  task: ['callbackId', 'the tool’s server says when it has finished; a person cannot answer it'],
  model: ['callbackId', 'the provider of the model answers this; a person cannot'],
};
