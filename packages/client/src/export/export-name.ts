import type { Conversation } from '../api-types';

const mostCharacters = 60;

/** Returns a name that every system accepts: of letters and digits, with the day of the last change. */
export function exportName({ title, updatedAt }: Pick<Conversation, 'title' | 'updatedAt'>, ending: string): string {
  const words = title.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const name = [...words.join('-').toLowerCase()].slice(0, mostCharacters).join('').replace(/-$/, '');
  // A time is ASCII.
  return `vigil-${name || 'conversation'}-${updatedAt.slice(0, 10)}.${ending}`;
}
