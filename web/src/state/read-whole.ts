import type { Api } from '../../../client/api';
import type { Conversation } from '../../../core/state/schemas';

/** Reads a conversation with all its messages, and with its calls in full. @throws RequestFailed. */
export async function wholeOf(api: Api, id: string): Promise<Conversation> {
  const messages: Conversation['messages'] = [];
  const calls: Conversation['calls'] = [];
  for (let more = true; more; ) {
    const page = await api.wholeCalls(id, calls.at(-1)?.id);
    calls.push(...page.calls);
    more = page.more;
  }
  calls.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.index - b.index);
  for (;;) {
    const page = await api.read(id, messages.at(-1)?.seq ?? 0);
    messages.push(...page.messages);
    if (!page.more || page.messages.length === 0) return { ...page, messages, calls, more: false };
  }
}

/** Lets the browser save a file. */
export function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
