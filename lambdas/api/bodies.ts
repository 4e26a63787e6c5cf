import type * as z from 'zod';
import type { ApprovalPage as Approvals } from './routes/approvals';
import type { AnswerCallback as Answer } from './routes/callbacks';
import type {
  CallPage as Calls,
  ConversationPage as Page,
  TimelinePage as Runs,
  StartConversation as Start,
} from './routes/conversations';
import type { Arrange as ArrangeSchema, FoundPage as FoundSchema } from './routes/finding';
import type { HomePage as Home } from './routes/home';
import type {
  Cancel as CancelSchema,
  Fork as ForkSchema,
  SendMessage as Send,
  Trust as TrustSchema,
} from './routes/runs';
import type { TimerPage as Timers } from './routes/timers';
import type { Problem as ProblemSchema } from './shapes';

/** The types of the API's request bodies, and of responses that have no schema in core. Clients compile against them. */
export type AnswerCallback = z.input<typeof Answer>;
export type Arrange = z.input<typeof ArrangeSchema>;
export type FoundPage = z.output<typeof FoundSchema>;
export type ApprovalPage = z.output<typeof Approvals>;
export type CallPage = z.output<typeof Calls>;
export type Cancel = z.input<typeof CancelSchema>;
export type ConversationPage = z.output<typeof Page>;
export type Fork = z.input<typeof ForkSchema>;
export type HomePage = z.output<typeof Home>;
export type TimelinePage = z.output<typeof Runs>;
export type TimerPage = z.output<typeof Timers>;
export type Problem = z.output<typeof ProblemSchema>;
export type SendMessage = z.input<typeof Send>;
export type Trust = z.input<typeof TrustSchema>;
export type StartConversation = z.input<typeof Start>;
