/**
 * A conversation and its forks are a family: versions of one conversation, which begin alike. The first one is their root.
 *
 * The index `byOwner` has no place for the root, and an index cannot change. It has `parentId`, which forks do not need.
 */
const mark = 'fork-of:';

/** Returns what a fork's row has as `parentId`. */
export const inParentId = (rootId: string): string => mark + rootId;

/** Returns what a stored `parentId` says. */
export const fromParentId = (stored: string | undefined): { parentId?: string; rootId?: string } => {
  if (stored === undefined) return {};
  return stored.startsWith(mark) ? { rootId: stored.slice(mark.length) } : { parentId: stored };
};
