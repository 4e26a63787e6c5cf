/** A link or a picture that begins, up to its address. What is longer is rather a bracket in a sentence. */
const openLink = /!?\[[^[\]\n]{0,100}(?:\](?:\([^()\s]{0,500})?)?$/;
/** Signs that begin or end something, with nothing after them. */
const openSigns = /(?<![\p{L}\p{N}*`])(?:\*{1,3}|`)$/u;
const fence = /^ {0,3}(?:`{3,}|~{3,})/gm;

/**
 * Returns a growing text as it can be drawn now, so that no line becomes shorter when more follows: without a link that is not complete, and with
 * the end of what is bold or code. In a block of code, each sign is itself.
 */
export function withOpenEnd(text: string): string {
  if ((text.match(fence)?.length ?? 0) % 2 === 1) return text;
  const shown = text.replace(openLink, '').replace(openSigns, '');
  const paragraph = shown.slice(shown.lastIndexOf('\n\n') + 1);
  if (isOdd(paragraph, '`')) return `${shown}\``;
  return isOdd(paragraph.replace(/`[^`]*`/g, ''), '**') && /\*\*\S[^*]*[^\s*]$/.test(shown) ? `${shown}**` : shown;
}

const isOdd = (text: string, sign: string): boolean => text.split(sign).length % 2 === 0;
