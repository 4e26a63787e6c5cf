/** What makes a message a request to be reminded. */
export const requestWords =
  /\b(remind|reminder|wake me|ping me|nudge me|alert me|notify me|don['’]t let me forget|remember to|snooze)\b/i;
const please = /^(?:(?:hi|hey|hello|ok|okay|so|also|then|and|please|actually|well|oh)\b[\s,!.]*)+/i;
const request =
  /^(?:(?:can|could|would|will) you |i(?:['’]d| would) like you to |i want you to |you (?:should|must) )?(?:please )?(?:set (?:up )?(?:a|me a|another) reminder|reminder(?=:)|(?:send|give) me a reminder|remind me|wake me(?: up)?|ping me|nudge me|alert me|notify me|tell me|snooze(?: it| that)?(?: for)?|don['’]t let me forget|remember|make sure (?:that )?i(?: remember)?)\b[\s,:]*(?:please\b[\s,:]*)?/i;
const leading = /^[\s,.;:!?-]+/;
/** "Every Monday" without its Monday. */
const repeating = /^(?:every|each|twice|soon|daily)\b[\s,:]*/i;
/** What is said about the hour, not about the thing. */
const filler =
  /(?:^|[\s,])(?:bright and early|nice and early|first thing|early|late|sharp|at the latest|please|thanks|thank you|if you can|once|again)(?=[\s,.:!?]|$)[,.!:]?/gi;

const persons: [RegExp, string][] = [
  [/\bI['’]m\b/g, 'you’re'],
  [/\bI am\b/g, 'you are'],
  [/\bI['’]ve\b/g, 'you’ve'],
  [/\bI['’]ll\b/g, 'you’ll'],
  [/\bI was\b/g, 'you were'],
  [/\bI\b/g, 'you'],
  [/\bmyself\b/gi, 'yourself'],
  [/\bmine\b/gi, 'yours'],
  [/\bmy\b/gi, 'your'],
  [/\bme\b/gi, 'you'],
];

/**
 * What is left of a wish without its time, as it is said to the one who wished it: "remind me to call my mother" becomes
 * "Time to call your mother." Empty when nothing is left.
 */
export function inSecondPerson(wish: string): string {
  const asked = wish.replace(filler, ' ').replace(leading, '').replace(please, '').trim();
  const words = asked.replace(request, '').replace(leading, '').replace(repeating, '');
  const bare = words
    .replace(/\s+/g, ' ')
    .replace(/\s+([,.!?])/g, '$1')
    .replace(/^[\s,.;:!?-]+|[\s,;:-]+$/g, '')
    .replace(/,(?=[.!?])/g, '')
    // "Can you …?" asks for a service, not for an answer.
    .replace(/\?$/, request.test(asked) ? '.' : '?');
  const [, lead = '', rest = ''] =
    /^(to|about|of|that|for|i (?:need|have|want|ought) to|i (?:should|must))?\b\s*(.*)$/is.exec(bare) ?? [];
  const told = persons.reduce((text, [from, to]) => text.replace(from, to), rest.trim());
  if (!/[\p{L}\p{N}\uE000]/u.test(told)) return '';
  const end = /[.!?\uE001]$/.test(told) ? '' : '.';
  if (!lead || lead.toLowerCase() === 'that') return `${told.charAt(0).toUpperCase()}${told.slice(1)}${end}`;
  if (/^(about|of|for)$/i.test(lead)) return `You wanted to be reminded of ${told}${end}`;
  return `Time to ${told}${end}`;
}
