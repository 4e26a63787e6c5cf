import { zodToOpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import type * as z from 'zod';
import { DataPart, FilePart, Part, TextPart } from '../../core/base/content/parts';
import { HostedUse, Reference, Source } from '../../core/base/content/sources';
import { ModelWait, PassedOver } from '../../core/base/models/model-outage';
import { GuardVerdict } from '../../core/base/schemas/guard-verdict';
import { FailedAttempt } from '../../core/base/state/failed-attempts';
import * as rows from '../../core/base/state/schemas';
import { Locale } from '../../core/base/time/time-zone';
import { Cost } from '../../core/conversations/agent/cost';
import { StandingReport } from '../../core/conversations/approvals/standing-report';
import { RunAttempts } from '../../core/machines/reconcile/attempts';
import { Found } from '../../core/people/finding/search';
import { Ticket } from '../../core/people/live/live';
import { Memory } from '../../core/people/memory/memory';
import { AgentDetails, DeclaredStep, ModelDetails, ToolDetails } from '../../core/people/views/agent-details';
import { Allowance, Cached } from '../../core/people/views/allowance';
import { WaitingApproval } from '../../core/people/views/approvals';
import { TimelineEntry, TimelineRun } from '../../core/people/views/timeline';
import * as example from './examples';

/** Schemas by their names in the OpenAPI document. */
export type NamedSchemas = Readonly<Record<string, [schema: z.ZodType, what?: string, example?: unknown]>>;

/**
 * Core's schemas by their names in the OpenAPI document, with an example of the main ones. A schema that is not listed is repeated
 * wherever it is used.
 */
const named: NamedSchemas = {
  TextPart: [TextPart, 'Words'],
  FilePart: [FilePart, 'A file that a message or a result refers to'],
  DataPart: [DataPart, 'JSON, which the model reads as text'],
  Part: [Part, 'A part of a message'],
  UnreadablePart: [rows.UnreadablePart, 'A row that cannot be read, and its field that is odd'],
  AgentCard: [rows.AgentCard, 'An agent for people to choose', example.agent],
  AgentDetails: [AgentDetails, 'An agent as its author declares it, with what the deployment overrides'],
  AgentLimits: [AgentDetails.shape.limits, 'What one run may use'],
  ModelDetails: [ModelDetails, 'A model as an agent chooses it'],
  NextModel: [
    ModelDetails.shape.otherwise.unwrap().element,
    'A model that is asked while those before it do not answer',
  ],
  ModelWait: [ModelWait, 'The wait of a run for a model that does not answer'],
  PassedOver: [PassedOver, 'A model that did not answer, so that the next one was asked'],
  ToolDetails: [ToolDetails, 'A tool as its author declares it'],
  ToolApproval: [ToolDetails.shape.approval.unwrap(), 'Some or all calls of the tool need an approval'],
  ToolKind: [rows.ToolKind],
  DeclaredToolKind: [ToolDetails.shape.kind],
  RunAttempts: [RunAttempts, 'What Step Functions knows of a run that is at work, and of timers that are due'],
  RunAttempt: [RunAttempts.shape.attempts.element, 'An attempt in progress, or the next one'],
  DecisionField: [rows.DecisionField, 'An argument as a person reads it who decides about a call'],
  SentencePart: [rows.SentencePart, 'A part of the question of an approval: words, or the value of an argument'],
  Allowance: [Allowance, 'What you have used of one limit, and the variable that sets it', example.allowance],
  CachedInput: [Cached, 'What the caches of models did this month'],
  Member: [rows.Member, 'A user or a group with whom a conversation is shared'],
  Taker: [rows.Taker, 'A person who has taken a conversation over from its agent'],
  Feedback: [rows.Feedback, 'What a person thinks of a message'],
  ReadMark: [rows.ReadMark, 'How far a person has read a shared conversation'],
  Conversation: [
    rows.Conversation,
    'A conversation with its messages, calls, callbacks and timers',
    example.conversation,
  ],
  ConversationSummary: [
    rows.ConversationSummary,
    'A conversation in a list. Its status is that of its latest run; `idle` before the first one',
    example.summary,
  ],
  ConversationStatus: [rows.ConversationSummary.shape.status],
  WaitsFor: [rows.ConversationSummary.shape.waitsFor.unwrap(), 'Whom a waiting run waits for'],
  Branch: [rows.Branch, 'One version of a conversation: the root, which has no turns, or a fork'],
  Turn: [rows.Turn, 'Where a fork leaves another conversation'],
  Run: [rows.Run, 'What an agent does about a message, until it has nothing left to do', example.run],
  RunStatus: [rows.RunStatus],
  Message: [rows.Message, 'One entry of a conversation’s log. Its `seq` is its place', example.message],
  MessageRole: [rows.Message.shape.role],
  MessageStatus: [rows.MessageStatus, 'A user’s message is `pending` until a model call has read it'],
  Call: [rows.Call, 'One use of a tool', example.call],
  CallStatus: [rows.CallStatus],
  Callback: [rows.Callback, 'What a run or a call waits for', example.callback],
  Approvers: [rows.Approvers, 'A group of the user directory, or the users with a claim in their token'],
  StepOfApproval: [rows.StepOfApproval, 'A step of an approval that several people decide'],
  DeclaredStep: [DeclaredStep, 'A step of an approval, as a tool declares it'],
  StandingOffer: [rows.StandingOffer, 'What the owner may allow for later from the card of an approval'],
  StandingLimits: [
    rows.StandingLimits,
    'With `approved: true`, if the approval offers it: what the owner allows for later. All other arguments stay as they are approved',
  ],
  AmountLimit: [rows.AmountLimit, 'The largest amount of a call and of all calls, in the smallest unit'],
  StandingAmount: [rows.StandingApproval.shape.money.unwrap().valueType, 'A limit of amounts, with its currency'],
  StandingUse: [rows.StandingUse, 'A call on the authority of a standing approval'],
  StandingApproval: [rows.StandingApproval, 'Calls that need not be approved one by one, within limits'],
  StandingReport: [StandingReport, 'A standing approval, and what was done on its authority'],
  ReportedUse: [StandingReport.shape.uses.element, 'A call on the authority of a standing approval, and its status'],
  MadeFrom: [rows.StandingApproval.shape.madeFrom, 'The approval from whose card it was made'],
  Absence: [rows.Absence, 'Who decides in the place of an absent approver, and when'],
  StandIn: [rows.StandIn, 'An absent approver in whose place you decide'],
  Assignment: [rows.Assignment, 'A person who is asked to decide about an approval'],
  GivenBack: [
    WaitingApproval.shape.givenBack.unwrap(),
    'The question with which an approver gave a call back, and the answer',
  ],
  DecisionMade: [rows.DecisionMade, 'What one person has decided about an approval'],
  Timer: [rows.Timer, 'A scheduled message: it comes into a conversation later, once or repeatedly', example.timer],
  TimerKind: [rows.Timer.shape.kind],
  TimerStatus: [rows.Timer.shape.status],
  TimerOverlap: [rows.Timer.shape.overlap.unwrap()],
  TimerCatchUp: [rows.Timer.shape.catchUp.unwrap()],
  Usage: [rows.Usage, 'Money is in millionths of a dollar, by the price list of the deployment', example.usage],
  Source: [Source, 'Where words come from that are neither the user’s nor the deployment’s own'],
  HostedUse: [HostedUse, 'What a tool of the model’s provider did for a reply'],
  Reference: [Reference, 'A page or a file that a hosted tool has found, or that a text cites'],
  GuardDetails: [AgentDetails.shape.guards.unwrap().element, 'A guard of an agent, and what it checks'],
  GuardVerdict: [GuardVerdict, 'What a guard has decided about a message, a reply, a call or a result'],
  FailedAttempt: [FailedAttempt, 'An attempt that failed, of a tool call, of undoing one, or at a step’s model call'],
  TimelineRun: [TimelineRun, 'A run with its entries, in order'],
  TimelineEntry: [TimelineEntry, 'One model call, tool call, wait or callback of a run'],
  Cost: [Cost],
  Found: [Found, 'A message that has all words of the search, or whose meaning is near to it: see `by`'],
  ExcerptPart: [Found.shape.excerpt.element, 'A part of the text around a hit; `hit` if it is one of the words'],
  WaitingApproval: [
    WaitingApproval,
    'What waits for your decision or answer, and all that an approver may read of its conversation',
  ],
  ShownMessage: [WaitingApproval.shape.messages.unwrap().element, 'A message that an approver may read'],
  Memory: [Memory, 'A fact that you told an agent, kept for other conversations'],
  Ticket: [Ticket, 'A single-use ticket for the live view’s WebSocket'],
  Settings: [Locale, 'Your time zone, as an IANA name, and your language, as a BCP 47 tag', example.settings],
};

/** Gives them, and those of modules, their names. */
export function nameSchemas(ofModules: readonly NamedSchemas[]): void {
  for (const [refId, [schema, description, ...examples]] of [named, ...ofModules].flatMap((one) => Object.entries(one)))
    zodToOpenAPIRegistry.add(schema, {
      _internal: { refId },
      ...(description && { description }),
      ...(examples.length > 0 && { examples }),
    });
}
