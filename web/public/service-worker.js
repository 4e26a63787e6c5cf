// Shows notifications while no page is in front, and leads from them to the page. It keeps nothing, and answers no requests.

/** A page of the user that does not answer within this time has no session, or sleeps. */
const patienceMs = 10_000;

addEventListener('install', () => void skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('push', (event) => event.waitUntil(show(event.data.json())));
addEventListener('notificationclick', (event) => event.waitUntil(open(event)));

const pages = () => clients.matchAll({ type: 'window', includeUncontrolled: true });

/** @param shown core's `Notification`. */
async function show(shown) {
  // The page in front says it itself.
  if ((await pages()).some(({ focused }) => focused)) return;
  const { id, title, body, kind, language = 'en', buttons = { approve: 'Approve', deny: 'Deny' } } = shown;
  const decides = [
    { action: 'approve', title: buttons.approve },
    { action: 'deny', title: buttons.deny },
  ];
  await registration.showNotification(title, {
    body,
    lang: language,
    // The same notification twice is shown once.
    tag: id,
    data: shown,
    icon: '/icon-192.png',
    // What the notification does not show completely is not approved from it.
    actions: kind === 'approval' ? decides.filter(({ action }) => action === 'deny' || shown.shown) : [],
  });
  await navigator.setAppBadge?.().catch(() => undefined);
}

/** Decides about an approval if the notification shows all of it and a page has the session. Otherwise, leads to it. */
async function open({ action, notification }) {
  notification.close();
  const { data } = notification;
  const decides = action === 'deny' || (action === 'approve' && data.shown);
  if (decides && (await decided(data, action === 'approve'))) return;
  const [page] = await pages();
  if (!page) return void (await clients.openWindow(data.path));
  page.postMessage({ type: 'go', path: data.path });
  await page.focus().catch(() => undefined);
}

/** Asks one page after the other to send the decision. */
async function decided({ conversationId, callbackId, shown }, approved) {
  for (const page of await pages())
    if (await answerOf(page, { type: 'decide', conversationId, callbackId, approved, shown })) return true;
  return false;
}

function answerOf(page, message) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), patienceMs);
    port1.onmessage = ({ data }) => resolve(data === true);
    page.postMessage(message, [port2]);
  });
}
