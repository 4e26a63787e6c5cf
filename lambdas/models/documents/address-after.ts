const prefix = /^(?:https?:\/\/(?:www\.)?|mailto:|tel:)/i;
/** Some addresses are only for counting who follows them. */
const mostCharacters = 500;

/** Returns what follows the words of a link: its address, unless they say it themselves, or it is none that a person could follow. */
export function addressAfter(words: string, address = ''): string {
  if (!prefix.test(address) || address.length > mostCharacters) return '';
  const plain = (text: string) => text.trim().replace(prefix, '').replace(/\/$/, '').toLowerCase();
  return plain(words) === plain(address) ? '' : ` (${address})`;
}
