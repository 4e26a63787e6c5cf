const please = /^[\s,.;:!?-]*(?:(?:hi|hey|hello|ok|okay|so|also|then|and|please|actually|well|oh)\b[\s,!.]*)*/i;
const request =
  /^(?:(?:can|could|would|will) you |i(?:['’]d| would) like you to |i want you to |you (?:should|must) )?(?:please )?(?:set (?:up )?(?:a|me a|another) reminder|reminder(?=:)|(?:send|give) me a reminder|remind me|wake me(?: up)?|ping me|nudge me|alert me|notify me|tell me|snooze(?: it| that)?(?: for)?|don['’]t let me forget|remember|make sure (?:that )?i(?: remember)?)\b[\s,:]*(?:please\b[\s,:]*)?/i;
const filler =
  /(?:^|[\s,])(?:bright and early|nice and early|first thing|early|late|sharp|at the latest|please|thanks|thank you|if you can|once|again)(?=[\s,.:!?]|$)[,.!:]?/gi;
const persons = Object.entries({
  "I[’']m": 'you’re',
  'I am': 'you are',
  "I[’']ve": 'you’ve',
  "I[’']ll": 'you’ll',
  'I was': 'you were',
  I: 'you',
  '[Mm]yself': 'yourself',
  '[Mm]ine': 'yours',
  '[Mm]y': 'your',
  '[Mm]e': 'you',
});

/** Rephrases a request for its recipient: "remind me to call my mother" becomes "Time to call your mother." */
export function inSecondPerson(wish: string): string {
  const asked = wish.replace(filler, ' ').replace(please, '').trim();
  const bare = asked
    .replace(request, '')
    .replace(/\s+/g, ' ')
    .replace(/\s+(?=[,.!?])|,(?=[.!?])/g, '')
    .replace(/^[\s,.;:!?-]+|[\s,;:-]+$/g, '')
    // "Can you …?" is a request, not a question.
    .replace(/\?$/, request.test(asked) ? '.' : '?');
  const [, lead = '', rest = ''] =
    /^(to|about|of|that|for|i (?:need|have|want|ought) to|i (?:should|must))?\b\s*(.*)$/is.exec(bare) ?? [];
  const told = persons.reduce((text, [from, to]) => text.replace(new RegExp(`\\b${from}\\b`, 'g'), to), rest.trim());
  if (!/[\p{L}\p{N}]/u.test(told)) return '';
  const sentence = /(?:[.!?]|https?:\/\/\S+)$/.test(told) ? told : `${told}.`;
  if (/^(?:about|of|for)$/i.test(lead)) return `You wanted to be reminded of ${sentence}`;
  return lead && !/^that$/i.test(lead) ? `Time to ${sentence}` : sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
