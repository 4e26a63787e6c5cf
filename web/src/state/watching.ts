import type { LiveSocket } from '../network/live-socket';
import type { VigilStore } from './vigil-state';

/**
 * Tells the live view whether the user sees the open conversation, so that nothing of it is sent to their devices: see
 * `core/live/live.ts`.
 */
export interface Watching {
  /** To be called when the open conversation is subscribed to, and now and then while it is. */
  tell(): void;
}

export function watches(store: VigilStore, send: LiveSocket['send']): Watching {
  let turn = 0;
  let subscribed: string | undefined;
  const say = () => {
    const { open } = store.getState();
    if (!open || open !== subscribed) return;
    turn += 1;
    send({ action: 'watch', conversationId: open, visible: document.visibilityState === 'visible', turn });
  };
  document.addEventListener('visibilitychange', say);
  return {
    tell() {
      subscribed = store.getState().open;
      say();
    },
  };
}
