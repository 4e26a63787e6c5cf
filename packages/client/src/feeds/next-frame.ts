/** Returns a function that does the work before the next frame is drawn: once, however often it is asked until then. */
export function atNextFrame(work: () => void): () => void {
  let isAsked = false;
  const act = () => {
    isAsked = false;
    work();
  };
  return () => {
    if (isAsked) return;
    isAsked = true;
    // A hidden page has no frames, and neither has Node.
    if (typeof requestAnimationFrame === 'function' && !globalThis.document?.hidden) requestAnimationFrame(act);
    else setTimeout(act, frameMs);
  };
}

const frameMs = 16;
