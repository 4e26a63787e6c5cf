import type { Api } from '../api';
import type { Conversation } from '../api-types';
import { readWhole } from '../read-whole';

/** Reads a conversation with all its messages, and with its calls in full. @throws RequestFailed. */
export async function wholeConversation(api: Pick<Api, 'read' | 'wholeCalls'>, id: string): Promise<Conversation> {
  const calls: Conversation['calls'] = [];
  for (let more = true; more; ) {
    const page = await api.wholeCalls(id, calls.at(-1)?.id);
    calls.push(...page.calls);
    more = page.more;
  }
  calls.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.index - b.index);
  return { ...(await readWhole((after) => api.read(id, after))), calls };
}
