import { deciderOf } from '../agent/approvers';
import { defaultPatience, type FunctionTool } from '../agent/tool';
import type { Source } from '../state/sources';
import type { StoredCall, StoredCallback } from '../store/rows';
import { clip } from '../text/clip';
import { canonical } from './approved';
import { newCallback } from './callback';

/** The callback's row has the arguments too, perhaps twice: original and edited. */
const maxApprovedBytes = 50_000;
const maxWhyBytes = 1_000;

/**
 * Returns the callback by which a person decides about a call. It shows the arguments as the tool would get them. Whatever the reason
 * for asking, the tool's approvers decide; without any, the owner does.
 *
 * @param why the tool's own reason for asking.
 * @throws Error if the arguments are too long to be shown.
 */
export function approvalOf(
  tool: FunctionTool,
  call: Pick<StoredCall, 'id' | 'runId' | 'arguments'>,
  { owner, sources, why, now }: { owner: string; sources?: Source[]; why?: string; now: Date },
): StoredCallback {
  const args = canonical(tool.input, call.arguments) ?? {};
  if (Buffer.byteLength(JSON.stringify(args)) > maxApprovedBytes)
    throw new Error(`a person must approve this, so the arguments may have at most ${maxApprovedBytes} bytes.`);
  const { id, runId } = call;
  const { expiresInSeconds, fallback } = { ...defaultPatience, ...tool.approval };
  const { approvers, excludesOwner, showsMessages } = tool.approval ?? {};
  const prompt = tool.approval?.prompt ?? `May the tool "${tool.name}" run with these arguments?`;
  return newCallback(
    {
      ...{ id, callId: id, runId, kind: 'approval', tool: tool.name, arguments: args },
      prompt: why ? `${prompt} ${clip(why, maxWhyBytes)}` : prompt,
      kinds: tool.approval?.kinds?.(tool.input.parse(call.arguments)),
      ...{ decider: deciderOf(approvers, owner), excludesOwner, showsMessages },
      ...{ sources, expiresInSeconds, fallback },
    },
    now,
  );
}
