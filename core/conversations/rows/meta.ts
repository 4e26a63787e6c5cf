import * as z from 'zod';
import { Source } from '../../base/content/sources';
import { isJsonObject } from '../../base/json/json-object';
import { ModelOutages } from '../../base/models/model-outage';
import { Claims } from '../../base/state/given';
import { NextState } from '../../base/state/loop-state';
import { ConversationSummary, isActive, Run, RunStatus, Taker, Usage } from '../../base/state/schemas';
import { TraceContext } from '../../base/state/trace';
import { Locale } from '../../base/time/time-zone';
import { fromParentId, inParentId } from './family';
import { JsonText, withJsonText } from './json-text';
import { key } from './keys';
import { openIn, openList } from './open-lists';
import { listOf, ownedBy, ownerIn } from './owned';
import { Member, type StoredGiven } from './rows';
import type { Todo } from './todo';

/** The JSON of an object. */
const TextOfObject = z.string().refine((text) => {
  const { success, data } = JsonText.safeParse(text);
  return success && isJsonObject(data);
}, 'it is not the JSON of an object');

/** The step that is being made: the place of its message in the log, and which writer may write there. */
export const Draft = z.object({
  step: z.number().int(),
  seq: z.number().int(),
  writer: z.string(),
  /** The number of the attempt at the step, from 1. */
  attempt: z.number().int(),
  /** Messages whose scheduled calls this step makes, instead of asking the model. */
  scheduled: z.array(z.number().int()).optional(),
  /** The provider makes the reply in the background. */
  pending: z
    .object({
      /** The callback that waits for it. */
      callbackId: z.string(),
      since: z.iso.datetime(),
      /** The maker of the model, and whether it is asked for a summary. Another request does not get this reply. */
      maker: z.string(),
      isSummary: z.literal(true).optional(),
      /** Whether the provider tells by a webhook that it is over. */
      isTold: z.literal(true).optional(),
      /** Whether people have seen a part of its text. The next attempt writes it anew. */
      isShown: z.literal(true).optional(),
    })
    .optional(),
  /** The store has not taken the files of an earlier attempt's reply. No model is asked, and paid, before it answers. */
  needsStore: z.literal(true).optional(),
});
export type Draft = z.infer<typeof Draft>;

/** A run as stored: the public part, and what any process needs to continue it. */
export const StoredRun = Run.extend({
  /** The state that follows the last stored step. A repeated invocation of CallModel returns it again. */
  next: NextState.optional(),
  draft: Draft.optional(),
  segmentStartedAt: z.iso.datetime(),
  /** The last message from outside that the run has read, and the number of steps before that. */
  lastRead: z.object({ seq: z.number().int(), step: z.number().int() }),
  /** An upper bound of the events in the segment's history. */
  segmentEvents: z.number().int(),
  startedAt: z.iso.datetime(),
  /** The number of replies in a row that the provider has cut off. */
  cutOff: z.number().int().optional(),
  /** The number of replies in a row that could not be used, and why the latest one could not. */
  unusable: z.object({ times: z.number().int(), why: z.enum(['empty', 'unreadable']) }).optional(),
  /** The models that do not answer, by their makers. */
  outages: ModelOutages.optional(),
  /** The number of answers in a row that did not fit the agent's `output`. */
  misfits: z.number().int().optional(),
  /** The result, as JSON. */
  resultText: TextOfObject.optional(),
  /** The first run whose effects a cancel of this run undoes. Earlier runs that failed or were limited, and that this run continues. */
  undoFrom: z.number().int().optional(),
  /** Whether the user's counts include it while it is active. */
  counted: z.literal(true).optional(),
  /** The member who has made it go on, or begin, without words. Its calls with effects need an approval, as after a member's words. */
  askedBy: z.string().optional(),
  /** The number of sub-agents that it has asked for. */
  delegations: z.number().int().optional(),
  /** A failed run can be retried until then. Afterwards it is rolled back. */
  heldUntil: z.iso.datetime().optional(),
  /** The user's claims when it began, as far as the deployment keeps them. */
  claims: Claims.optional(),
  /** The user's time zone when it began. The instructions are written with it. */
  timeZone: z.string().optional(),
  /** The trace context of the request that began it. */
  caller: TraceContext.optional(),
});
export type StoredRun = z.infer<typeof StoredRun>;

/** The conversation and its latest run. */
export const Meta = ConversationSummary.omit({ id: true }).extend({
  conversationId: z.string(),
  /** Every change of the row increases it, and every write of the row checks it. */
  version: z.number().int(),
  parentId: z
    .string()
    .transform((stored) => fromParentId(stored).parentId)
    .optional(),
  /** Empty if the conversation is deleted, or a fork that is not complete. */
  owner: z.string().transform(ownerIn).default(''),
  /** `user`: the user gave the title. `model`: a model was asked for one, or gave it. Absent: it begins the first message. */
  titledBy: z.enum(['user', 'model']).optional(),
  deletedFor: z.string().optional(),
  /** Whether the user's counts include the conversation until it is deleted. */
  counted: z.literal(true).optional(),
  ttl: z.number().optional(),
  lastSeq: z.number().int(),
  /** The last message from outside the run, from a user, a timer or an outside system. Each one resets the step limit. */
  lastUserSeq: z.number().int(),
  /** The owner's locale when they sent their last message. */
  ...Locale.shape,
  /** The claims of the owner's last message. The next run begins with them. */
  claims: Claims.optional(),
  /** The trace context of a request whose message waits in `queued`. The next run begins with it. */
  caller: TraceContext.optional(),
  /** The data that the API's client gave to the conversation. */
  metadata: JsonText.optional(),
  /** Whether a row of its own (`GIVEN`) has the metadata and the instructions of `overrides`, because they are long. */
  given: z.literal(true).optional(),
  /** The client id of the machine that started it on behalf of its owner. */
  startedBy: z.string().optional(),
  /** The tokens of requests that fit, by model, as far as servers have rejected longer ones. */
  windows: z.record(z.string(), z.number().int()).optional(),
  /** Those with whom its owner shares it, by name: `user:<sub>`, or `group:<name>`. Who may do what: `core/conversations/members/role.ts`. */
  members: z.record(z.string(), Member).optional(),
  /** How often they have changed. */
  membersVersion: z.number().int().optional(),
  /** Who has taken it over. It counts while the run waits: see `takerIn`. */
  takenBy: Taker.optional(),
  /** The user to whom the owner offers the conversation. */
  offeredTo: z.string().optional(),
  /** How often it has got another owner, and its last message before the last time: until there, what is not theirs is another person's. */
  handedOver: z.object({ times: z.number().int(), seq: z.number().int() }).optional(),
  /** Unread messages. While there is one, a run does not end. */
  pending: z.array(z.number().int()),
  /** The messages in `pending` and `queued` that carry a scheduled call. */
  scheduled: z.array(z.number().int()).optional(),
  /** Messages that wait for the end of the run. The next run reads them. */
  queued: z.array(z.number().int()).optional(),
  run: StoredRun.optional(),
  /** The number of the latest run. A fork continues the original's count. */
  runs: z.number().int().default(0),
  /** The number of amendments, which invalidates cached logs. */
  amendments: z.number().int().optional(),
  /** The first agent. It takes over if the current one is no longer deployed. */
  entry: z.string(),
  /** In a sub-agent's conversation: the callback that waits for its result, and how many delegations led here. */
  parent: z
    .object({
      conversationId: z.string(),
      callbackId: z.string(),
      depth: z.number().int(),
      /** The outcome of the first run, which does the delegated task. Other runs may follow it. */
      outcome: z
        .object({ runId: z.string(), status: RunStatus, reason: z.string().optional(), lastSeq: z.number().int() })
        .extend({ agent: z.string(), sources: z.array(Source).optional() })
        .optional(),
    })
    .optional(),
  /** In a fork that is not complete: the first request, as JSON. */
  forking: TextOfObject.optional(),
  /** In a fork: a model for all agents, and instructions for `agent`. */
  overrides: z
    .object({ agent: z.string(), model: z.string().optional(), instructions: z.string().optional() })
    .optional(),
  /** The usage of all runs before the latest, and of the title. */
  earlierUsage: Usage,
});

/** `todos`: what follows from a change, in the change itself only. It is stored in a row of its own. */
export type Meta = z.infer<typeof Meta> & { todos?: Todo[] };

/** Returns META of a change from which something more follows. */
export const withTodo = (meta: Meta, ...todos: Todo[]): Meta => ({ ...meta, todos: [...(meta.todos ?? []), ...todos] });

/** META's places in the indexes. DynamoDB rejects an empty key, so a row without an owner is in none of them. */
export function placesOf(meta: Meta): { owner?: string; parentId?: string; openFor?: string; openSince?: string } {
  const { owner, deletedFor, run, rootId, parentId, createdAt, conversationId } = meta;
  const isRolledBack = deletedFor !== undefined && run?.status === 'cancelling';
  const list = owner ? run && openListOf(run) : isRolledBack ? openList.unseen : undefined;
  const user = owner || deletedFor;
  return {
    owner: owner ? ownedBy(owner, listOf(meta)) : undefined,
    parentId: rootId ? inParentId(rootId) : parentId,
    ...(list && user && openIn(list(user), run?.startedAt ?? createdAt, conversationId)),
  };
}

/** META as stored. */
export function metaRow(meta: Meta): Record<string, unknown> {
  return {
    ...withJsonText(meta, 'metadata'),
    ...(meta.given && {
      metadata: undefined,
      overrides: meta.overrides && { ...meta.overrides, instructions: undefined },
    }),
    unreadable: undefined,
    todos: undefined,
    ...placesOf(meta),
  };
}

/** META stays below 4 KB with it. What is longer is stored in a row of its own, or each write of META would cost as many units as it has KB. */
const givenBytesInMeta = 1_000;

/** Returns META and the row GIVEN, if there is one, of a new conversation. */
export function withGivenRow(meta: Meta): { meta: Meta; rows: { sk: string; put: object }[] } {
  const given = {
    ...withJsonText({ metadata: meta.metadata }, 'metadata'),
    instructions: meta.overrides?.instructions,
  };
  if (Buffer.byteLength(JSON.stringify(given)) <= givenBytesInMeta) return { meta, rows: [] };
  return { meta: { ...meta, given: true }, rows: [{ sk: key.given, put: given }] };
}

/** Returns META with what its row GIVEN has. */
export const withGiven = (meta: Meta, { metadata, instructions }: StoredGiven): Meta => ({
  ...meta,
  metadata,
  overrides: meta.overrides && { ...meta.overrides, instructions },
});

function openListOf({ status }: StoredRun): ((user: string) => string) | undefined {
  if (isActive(status) || status === 'cancelling') return openList.active;
  return status === 'failed' || status === 'limited' ? openList.failed : undefined;
}
