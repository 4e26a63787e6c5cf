import { ApiError, openApi } from './api.js';
import { openClock } from './clock.js';
import { openComposer } from './composer.js';
import { openConversation } from './conversation.js';
import { byId, element } from './elements.js';
import { openOutbox } from './outbox.js';
import { openMenu, showList } from './sidebar.js';
import { openSignIn, showModel, signedIn } from './signed-in.js';
import { showTranscript } from './transcript.js';
import { openTrouble } from './trouble.js';
import { welcome } from './welcome.js';
import { stateOf } from './words.js';

const agent = 'reminder';
/** How often the page asks: while something happens, while the agent sleeps, while nobody looks. */
const pollMs = { busy: 300, calm: 3_000, hidden: 15_000 };
/** How old the list may be. */
const listMs = 5_000;
/** How long what was set going may take to show. */
const startMs = 3_000;

const api = openApi(signedIn());
const outbox = openOutbox();
const trouble = openTrouble();
const menu = openMenu();
const composer = openComposer(send);
const clock = openClock({
  move: (to) => api.moveClock(to),
  wakeUp: () => open.run?.until ?? conversations.flatMap(({ until }) => until ?? []).sort()[0],
  moved: () => soon(),
  failed: (error) => trouble.keep(error),
});
let open = fromAddress();
/** @type {import('./api.js').Summary[]} */
let conversations = [];
let listed = { as: '', at: 0 };
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let polling = false;
let busyUntil = 0;
let wanted = false;

/** The conversation that the address names, or a new one, whose id is the page's own. */
function fromAddress() {
  const id = location.hash.slice(1);
  return openConversation(id || `c_${crypto.randomUUID()}`, Boolean(id));
}

function show() {
  const { run, title, usage } = open;
  const unsent = outbox.of(open.id);
  const now = clock.now();
  const log = byId('log');
  const isNew = !open.isStored && !unsent.length;
  if (isNew && !log.querySelector('.welcome')) log.replaceChildren(welcome(send));
  if (!isNew && (open.isRead || unsent.length)) {
    showTranscript(log, { messages: open.messages(), calls: open.calls, unsent }, now, deliver);
  }
  const state = run ? stateOf(run, now) : '';
  const spent = usage?.modelCalls
    ? `${usage.modelCalls} model calls · ${usage.inputTokens + usage.outputTokens} tokens`
    : '';
  const words = [state, run?.reason, spent].filter(Boolean).join(' · ');
  byId('title').textContent = title || (isNew ? 'New conversation' : 'Conversation');
  // Only what is new is written: it is read aloud.
  if (byId('status').textContent !== words) byId('status').textContent = words;
  byId('status').className = run?.status ?? '';
  document.title = [title || 'Vigil', state].filter(Boolean).join(' · ');
  clock.show();
  showList(conversations, open.id, now);
}

/** Asks for what is new, shows it, and asks again: soon while something happens, seldom while nothing does. */
async function poll() {
  clearTimeout(timer);
  wanted = polling;
  if (polling) return;
  polling = true;
  const current = open;
  try {
    clock.set(await api.clock());
    if (current.isStored) current.take(await api.read(current.id, current.settled()));
    outbox.settle(({ clientMessageId }) => current.has(clientMessageId));
    await list(`${current.id} ${current.run?.status} ${current.run?.until}`);
    trouble.clear();
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      trouble.keep(new Error('There is no such conversation. This is a new one.'));
      location.hash = '';
    } else trouble.show(error);
  }
  polling = false;
  show();
  const isBusy = wanted || open !== current || Date.now() < busyUntil || open.isBusy(clock.now());
  timer = setTimeout(poll, document.hidden ? pollMs.hidden : isBusy ? pollMs.busy : pollMs.calm);
}

/** Asks now, and often for a little while: something was just set going. */
function soon() {
  busyUntil = Date.now() + startMs;
  poll();
}

/** Reads the list when what is open has changed, and now and then. @param {string} as */
async function list(as) {
  if (as === listed.as && Date.now() - listed.at < listMs) return;
  conversations = (await api.list()).conversations;
  listed = { as, at: Date.now() };
}

/** @param {string} text */
function send(text) {
  const isFirst = !open.isStored && !outbox.of(open.id).length;
  history.replaceState(null, '', `#${open.id}`);
  deliver(outbox.add(open.id, isFirst, text));
}

/** Sends a message, the first time or again; it stays in the page until it is stored. @param {import('./outbox.js').Unsent} message */
async function deliver(message) {
  const { conversationId, isFirst, text, clientMessageId } = message;
  const target = open;
  message.problem = undefined;
  show();
  byId('log').scrollTop = byId('log').scrollHeight;
  try {
    if (isFirst) target.take(await api.start({ id: conversationId, agent, text, clientMessageId }));
    else await api.say(conversationId, { text, clientMessageId });
  } catch (error) {
    message.problem = error instanceof Error ? error.message : String(error);
  }
  outbox.settle((one) => target.has(one.clientMessageId));
  show();
  soon();
}

function openAnother() {
  if (location.hash.slice(1) === open.id) return;
  open = fromAddress();
  byId('log').replaceChildren(...(open.isStored ? [element('p', { class: 'loading' }, 'Loading…')] : []));
  menu.close();
  composer.focus();
  show();
  poll();
}

byId('new').addEventListener('click', () => {
  if (location.hash) location.hash = '';
  else openAnother();
});
addEventListener('hashchange', openAnother);
document.addEventListener('visibilitychange', () => document.hidden || poll());
openSignIn();
composer.focus();
api.health().then(({ model = '' }) => showModel(model), trouble.show);
show();
poll();
