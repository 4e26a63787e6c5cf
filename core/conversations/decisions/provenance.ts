import { filesOf } from '../../base/content/parts';
import { joined, type Source } from '../../base/content/sources';
import { answered } from '../../base/text/thrown';
import { type AfterUntrusted, type FunctionTool, type Read, reachesOutside } from '../agent/tool';
import type { StoredMessage } from '../rows/rows';
import { textOfResult } from './read-on';
import { type CallWithResult, placeOf } from './transcript';

/**
 * Finds the sources of what the model reads, in the rows themselves. A summary has the sources of what it covers, a timer's message
 * those of the run that created it, a task those of the run that delegated it.
 */
export function whatIsRead(
  { messages, calls }: { messages: StoredMessage[]; calls: CallWithResult[] },
  before: number,
  others?: readonly Source[],
): Read {
  const read = messages.filter((message) => placeOf(message) < before && message.status !== 'pending');
  const untrusted = [...read, ...calls].filter(({ trusted }) => !trusted);
  const brought = read
    .filter(({ trusted }) => !trusted)
    .flatMap((message) => [
      message.recalledSources,
      message.hostedSources,
      // What a reply's files may say is what its agent had read, and that is here itself.
      ...(message.role === 'assistant' ? [] : filesOf(message).map(({ sources }) => sources)),
    ]);
  return {
    sources: joined(...untrusted.map(({ sources }) => sources), ...brought, others),
    quotes(text, ...tools) {
      const ofUser = read.filter(({ role, sources }) => role === 'user' && !sources).map((message) => message.text);
      const listed = calls.filter(({ tool }) => tools.includes(tool)).map(textOfResult);
      return [...ofUser, ...listed].some((words) => standsIn(words, text));
    },
    callsSinceUser(tool) {
      const latest = Math.max(...read.filter(({ role, sources }) => role === 'user' && !sources).map(placeOf));
      if (latest === Number.NEGATIVE_INFINITY) return Number.POSITIVE_INFINITY;
      const stepOf = ({ runId, step }: { runId?: string; step?: number }) => `${runId} ${step}`;
      const earlier = new Set(read.filter((message) => placeOf(message) < latest).map(stepOf));
      return calls.filter((call) => call.tool === tool && !earlier.has(stepOf(call))).length;
    },
  };
}

export const nothingRead: Read = { quotes: () => false, callsSinceUser: () => Number.POSITIVE_INFINITY };

/** Returns what has been read, with the calls that come before in the same reply. */
export const withCallsBefore = (read: Read, before: readonly { name: string }[]): Read => ({
  ...read,
  callsSinceUser: (tool) => read.callsSinceUser(tool) + before.filter(({ name }) => name === tool).length,
});

/** The characters that end an address in a text. Without them, a part of an address could be chosen, which carries data. */
const end = /^(?:[\s"'<>)\]}|,;]|[.!?:](?:\s|$)|$)/;

function standsIn(words: string, text: string): boolean {
  if (!words || !text) return false;
  for (let at = words.indexOf(text); at >= 0; at = words.indexOf(text, at + 1)) {
    const isWhole = at === 0 || /[\s"'<([{|,;]/.test(words[at - 1]!);
    // Only read.
    if (isWhole && end.test(words.slice(at + text.length, at + text.length + 2))) return true;
  }
  return false;
}

/**
 * Returns what a call needs after its agent has read outside words. By default a person approves it, unless the tool only reads and
 * its arguments stay in the deployment. After a member's words, a person approves it unless the tool takes members' wishes.
 */
export function neededAfterUntrusted(tool: FunctionTool, input: Record<string, unknown>, read: Read): AfterUntrusted {
  const others = joined(read.sources?.filter((source) => source !== 'member'));
  const afterOthers = others ? afterUntrusted(tool, input, { ...read, sources: others }) : 'allow';
  const isAskedByMember = read.sources?.includes('member') ?? false;
  return isAskedByMember && !isForMembers(tool) && afterOthers === 'allow' ? 'approve' : afterOthers;
}

function afterUntrusted(tool: FunctionTool, input: Record<string, unknown>, read: Read): AfterUntrusted {
  if (!tool.afterUntrusted) return afterUntrustedByDefault(tool);
  return answered('afterUntrusted', tool.afterUntrusted(input, read), isNeed, '"allow", "approve" or "refuse"');
}

/** Whether a call may follow from what a member has said. What it does, it does for the owner. */
export const isForMembers = (tool: FunctionTool): boolean =>
  (tool.askedBy ?? (afterUntrustedByDefault(tool) === 'allow' ? 'member' : 'owner')) === 'member';

const isNeed = (answer: unknown): boolean => answer === 'allow' || answer === 'approve' || answer === 'refuse';

/** Returns what a call of a tool without `afterUntrusted` needs. */
export const afterUntrustedByDefault = (tool: FunctionTool): 'allow' | 'approve' =>
  tool.effect === 'read' && !leavesTheHouse(tool) ? 'allow' : 'approve';

/**
 * Whether the arguments may reach somebody else: those of a tool that had to name its source, whatever it named. `person` and `file` alone are
 * said of words that are in the deployment, too.
 */
const leavesTheHouse = (tool: FunctionTool): boolean =>
  (tool.source !== undefined && tool.source !== 'person' && tool.source !== 'file') ||
  tool.server !== undefined ||
  reachesOutside(tool) !== undefined;
