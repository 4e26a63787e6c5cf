import type { Act } from '../state/act';

/** A request of the service worker to a page (`web/public/service-worker.js`). */
type Asked =
  | { type: 'go'; path: string }
  | { type: 'decide'; conversationId: string; callbackId: string; approved: boolean; shown?: string };

/**
 * Registers the service worker, which shows notifications while no page is in front, and does what it asks: it has no session.
 *
 * @returns the registration; undefined if the browser has no service workers, or this page may not use them.
 */
export async function openWorker(act: Act): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined;
  navigator.serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<Asked>) => {
    if (data.type === 'go') location.hash = new URL(data.path, location.origin).hash;
    if (data.type === 'decide')
      void act
        .answer(data.conversationId, { id: data.callbackId }, decisionIn(data))
        .then((wrong) => ports[0]?.postMessage(wrong === undefined));
  });
  return navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
}

/** The API refuses an approval of what the notification did not show completely. */
const decisionIn = ({ approved, shown = '' }: Extract<Asked, { type: 'decide' }>) =>
  approved ? { approved, shown } : { approved };
