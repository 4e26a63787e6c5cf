import type { Conversation } from '../api-types';

const mostCharacters = 60;
/** File systems take 255, with what stands around it. */
const mostBytes = 200;

/** Returns a name that every system accepts: of letters and digits, with the day of the last change. */
export function exportName({ title, updatedAt }: Pick<Conversation, 'title' | 'updatedAt'>, ending: string): string {
  const words = title.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  let name = '';
  for (const letter of [...words.join('-').toLowerCase()].slice(0, mostCharacters))
    if (new TextEncoder().encode(name + letter).length <= mostBytes) name += letter;
    else break;
  name = name.replace(/-$/, '');
  // A time is ASCII.
  return `vigil-${name || 'conversation'}-${updatedAt.slice(0, 10)}.${ending}`;
}
