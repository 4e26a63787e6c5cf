/**
 * What the page knows of the conversation that is open. Answers of the API are taken in one after the other, so it holds the
 * newest of each row.
 *
 * @param {string} id
 * @param {boolean} isStored whether the API has it; a new one is only in the page until its first message is sent.
 */
export function openConversation(id, isStored) {
  /** @type {Map<number, import('./api.js').Message>} */
  const messages = new Map();
  /** @type {import('./api.js').Conversation | undefined} */
  let last;
  return {
    id,
    get isStored() {
      return isStored || last !== undefined;
    },
    get isRead() {
      return last !== undefined;
    },
    get title() {
      return last?.title ?? '';
    },
    get run() {
      return last?.run;
    },
    get usage() {
      return last?.usage;
    },
    get calls() {
      return last?.calls ?? [];
    },
    messages: () => [...messages.values()].sort((a, b) => a.seq - b.seq),
    /** @param {string} clientMessageId */
    has: (clientMessageId) => [...messages.values()].some((message) => message.clientMessageId === clientMessageId),
    /** The sequence number up to which nothing changes any more: what follows is to be read again. */
    settled() {
      const open = [...messages.values()].filter(({ status }) => status === 'pending' || status === 'streaming');
      const from = open.length ? Math.min(...open.map(({ seq }) => seq)) - 1 : Math.max(0, ...messages.keys());
      return Math.max(0, from);
    },
    /** Whether something is about to change: the run works, or should have woken up. @param {number} now */
    isBusy(now) {
      const { status = '', until = '' } = last?.run ?? {};
      return status === 'running' || status === 'cancelling' || (status === 'sleeping' && Date.parse(until) <= now);
    },
    /** @param {import('./api.js').Conversation} read */
    take(read) {
      last = read;
      for (const message of read.messages) messages.set(message.seq, message);
    },
  };
}
