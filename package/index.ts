/** `vigil`: what agents and tools are written with. Names are stable: an app breaks without one that it imports. @packageDocumentation */

export { retryAfter } from 'vigil-client/shared';
export type { FilePart } from '../core/base/content/parts';
export type { Source } from '../core/base/content/sources';
export {
  type CodeInterpreter,
  type FileSearch,
  type HostedTool,
  hosted,
  type WebFetch,
  type WebSearch,
} from '../core/base/models/hosted';
export {
  defineProvider,
  type ModelChoice,
  type Provider,
  type ProviderSpec,
} from '../core/base/models/provider';
export type { GuardPlace } from '../core/base/schemas/guard-verdict';
export { ConfigurationError, NeedsApproval, TellModel, ToolFailed, ToolTerminal } from '../core/base/text/errors';
export {
  type About,
  type Agent,
  type AgentSpec,
  defineAgent,
  type Instructed,
  type Limits,
  type MessagePolicy,
  type Proposal,
} from '../core/conversations/agent/agent';
export type { ApprovalStep, Approvers } from '../core/conversations/agent/approvers';
export { type Registry, registry } from '../core/conversations/agent/registry';
export {
  type MarkedEffect,
  type TableEffect,
  tableEffect,
  withSources,
} from '../core/conversations/agent/table-effect';
export {
  type AfterUntrusted,
  type Approval,
  type CallbackTool,
  defineTool,
  type Effect,
  type ForeignToolSpec,
  type FunctionTool,
  type FunctionToolSpec,
  type IsolatedContext,
  type IsolatedTool,
  type Needs,
  type Patience,
  type Read,
  type Tool,
  type ToolContext,
  type Values,
  type WaitTool,
  type Webhook,
} from '../core/conversations/agent/tool';
export { fileInput, fileOutput, type NewFile, type ToolFiles } from '../core/conversations/files/tool-files';
export {
  type Ask,
  defineGuard,
  type Guard,
  type Guarded,
  type GuardNeeds,
  type GuardSpec,
  type Verdict,
  type VerdictAt,
} from '../core/conversations/guards/guard';
export type { Guardrail } from '../modules/bedrock/provider';
export { type ModerationOptions, moderation } from '../modules/openai/moderation';
export { type RedactOptions, type RedactPattern, redact } from '../runtime/guards/redact';
export { serveIsolated } from '../runtime/serve-isolated';
export { serveTool } from '../runtime/serve-tool';
export { webhookAddress } from '../runtime/webhook-address';
