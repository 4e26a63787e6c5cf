import type { VigilState } from './vigil-state';

/** The server's time, on a laptop that of the moved clock. The page shows and compares no other: a browser's clock may be wrong by days. */
export const nowIn = (state: Pick<VigilState, 'aheadMs' | 'offset'>): number => Date.now() + shiftIn(state);

/** Returns how far that time is ahead of this machine's clock. */
export const shiftIn = ({ aheadMs, offset }: Pick<VigilState, 'aheadMs' | 'offset'>): number => aheadMs + offset;
