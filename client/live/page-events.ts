/** What a browser says of its network and its window. Node and React Native say nothing. */
export interface PageEvents {
  online(): void;
  offline(): void;
  /** The window was shown or hidden. */
  visibility(isVisible: boolean): void;
}

/** @returns what stops listening. */
export function listenToPage({ online, offline, visibility }: PageEvents): () => void {
  if (typeof document === 'undefined' || typeof addEventListener !== 'function') return () => undefined;
  const change = () => visibility(document.visibilityState === 'visible');
  addEventListener('online', online);
  addEventListener('offline', offline);
  document.addEventListener('visibilitychange', change);
  return () => {
    removeEventListener('online', online);
    removeEventListener('offline', offline);
    document.removeEventListener('visibilitychange', change);
  };
}
