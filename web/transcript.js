import { element, reconcile, withLinks } from './elements.js';
import { callState, moment } from './words.js';

/**
 * The middle of the page: messages in the order of the log, each step's tool calls after the message that asked for them.
 *
 * @param {HTMLElement} log
 * @param {{messages: import('./api.js').Message[], calls: import('./api.js').Call[], unsent: import('./outbox.js').Unsent[]}} conversation
 * @param {number} now
 * @param {(unsent: import('./outbox.js').Unsent) => void} retry
 */
export function showTranscript(log, { messages, calls, unsent }, now, retry) {
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
  reconcile(log, [
    ...messages.flatMap((message) => [
      ...(message.text || message.status === 'streaming' ? [messageItem(message, now)] : []),
      ...calls
        .filter(
          ({ runId, step }) =>
            message.role === 'assistant' && !message.callId && runId === message.runId && step === message.step,
        )
        .sort((a, b) => a.index - b.index)
        .map((call) => callItem(call, now)),
    ]),
    ...unsent.map((message) => unsentItem(message, retry)),
  ]);
  if (atEnd) log.scrollTop = log.scrollHeight;
}

/** @type {Record<string, string>} */
const messageNotes = { cancelled: 'stopped here', error: 'broke off here' };

/** @param {import('./api.js').Message} message @param {number} now */
function messageItem(message, now) {
  const { seq, role, author, text, status, callId, createdAt } = message;
  return {
    key: `m${seq}`,
    shown: `${status} ${text} ${createdAt.slice(0, 10) === new Date(now).toISOString().slice(0, 10)}`,
    make: () => {
      const note = messageNotes[status];
      const kind = callId ? 'delivered' : status;
      return element(
        'article',
        { class: `message ${role} ${kind}` },
        element(
          'header',
          {},
          element('b', {}, role === 'user' ? 'you' : author),
          ' ',
          element('time', { datetime: createdAt }, moment(createdAt, now)),
        ),
        element(
          'p',
          {},
          ...withLinks(text),
          ...(status === 'streaming' ? [element('span', { class: 'caret' }, '▍')] : []),
        ),
        ...(note ? [element('small', {}, note)] : []),
      );
    },
  };
}

/** @param {import('./outbox.js').Unsent} unsent @param {(unsent: import('./outbox.js').Unsent) => void} retry */
function unsentItem(unsent, retry) {
  return {
    key: unsent.clientMessageId,
    shown: unsent.problem ?? 'sending',
    make: () => {
      const item = element(
        'article',
        { class: 'message user pending' },
        element('header', {}, element('b', {}, 'you')),
        element('p', {}, unsent.text),
      );
      if (!unsent.problem) return item;
      const again = element('button', { type: 'button', class: 'link' }, 'retry');
      again.addEventListener('click', () => retry(unsent));
      item.append(element('small', { class: 'bad' }, `not sent: ${unsent.problem} · `, again));
      return item;
    },
  };
}

/** @param {import('./api.js').Call} call @param {number} now */
function callItem(call, now) {
  const state = callState(call, now);
  return {
    key: call.id,
    shown: `${state} ${call.attempts} ${call.error ?? ''}`,
    /** @param {HTMLElement} [before] */
    make: (before) => {
      const rows = /** @type {[string, unknown][]} */ ([
        ['input', call.arguments],
        ['output', call.result],
        ['error', call.error],
        ['attempts', call.attempts > 1 ? call.attempts : undefined],
      ]).filter(([, value]) => value !== undefined && value !== null);
      const card = element(
        'details',
        { class: `call ${call.status}` },
        element(
          'summary',
          {},
          element('code', {}, call.tool),
          ' ',
          element('span', { class: 'argument' }, mainArgument(call.arguments)),
          element('span', { class: 'state' }, state),
        ),
        element(
          'dl',
          {},
          ...rows.flatMap(([name, value]) => [
            element('dt', {}, name),
            element('dd', {}, element('pre', {}, shown(value))),
          ]),
        ),
      );
      if (before?.hasAttribute('open')) card.setAttribute('open', '');
      return card;
    },
  };
}

/** The one argument that says what the call is about. @param {unknown} input */
function mainArgument(input) {
  const first = typeof input === 'object' && input !== null ? Object.values(input)[0] : input;
  return first === undefined || first === null ? '' : typeof first === 'string' ? first : JSON.stringify(first);
}

/** @param {unknown} value */
const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
