/**
 * What was typed and is not stored yet. Each message has an id of its own from the start, so that sending it again after a
 * lost answer stores nothing twice.
 *
 * @typedef {{conversationId: string, isFirst: boolean, clientMessageId: string, text: string, problem?: string}} Unsent
 */
export function openOutbox() {
  /** @type {Unsent[]} */
  const unsent = [];
  return {
    /** @param {string} conversationId */
    of: (conversationId) => unsent.filter((message) => message.conversationId === conversationId),
    /** @param {string} conversationId @param {boolean} isFirst @param {string} text @returns {Unsent} */
    add(conversationId, isFirst, text) {
      const message = { conversationId, isFirst, text, clientMessageId: `m_${crypto.randomUUID()}` };
      unsent.push(message);
      return message;
    },
    /** @param {(message: Unsent) => boolean} isStored */
    settle(isStored) {
      for (const message of unsent.filter(isStored)) unsent.splice(unsent.indexOf(message), 1);
    },
  };
}
