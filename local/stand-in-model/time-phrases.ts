/**
 * What people say about times and the parser does not know, in words that it does. Tried in order, each everywhere in
 * the text.
 */
export const timePhrases: [RegExp, string | ((...match: string[]) => string)][] = [
  [/\b(?:in the )?(early|late) (?:in the )?(morning|afternoon|evening)\b/gi, '$2, $1'],
  [/\b(today|tomorrow|tonight|\w+day) (\d{1,2})(?= to\b| ?[,:]? ?$)/gi, '$1 at $2'],
  [/\bin a fortnight\b/gi, 'in 2 weeks'],
  [/\b(?:a|one) fortnight from (?:now|today)\b/gi, 'in 2 weeks'],
  [/\b(an?|one|two|three|four|five|six|\d+) (days?|weeks?|months?|years?) from (?:now|today)\b/gi, 'in $1 $2'],
  [/\b(?:an|one) hour and a half\b/gi, '1.5 hours'],
  [/\b(\w+) and a half (hours|days|weeks)\b/gi, (all, count = '', unit = '') => halves(all, count, unit)],
  [/\b(?:three )quarters of an hour\b/gi, '45 minutes'],
  [/\b(?:a )?quarter of an hour\b/gi, '15 minutes'],
  [/\b(\d+) ?h ?(\d{1,2})(?: ?m(?:in)?)?\b/gi, '$1 hours $2 minutes'],
  [/\bhalf past (\w+)\b/gi, (all, hour = '') => clock(all, hour, 30)],
  [/\b(?:a )?quarter past (\w+)\b/gi, (all, hour = '') => clock(all, hour, 15)],
  [/\b(?:a )?quarter to (\w+)\b/gi, (all, hour = '') => clock(all, hour, -15)],
  [/\bat (\w+) o['’]?clock\b/gi, (all, hour = '') => clock(all, hour, 0)],
  [/\b(\d{1,2}(?::\d\d)?) ?(?:o['’]?clock )?in the morning\b/gi, '$1 am'],
  [/\b(\d{1,2}(?::\d\d)?) ?(?:o['’]?clock )?(?:in the (?:afternoon|evening)|at night)\b/gi, '$1 pm'],
  [/\b(?:by |at )?(?:the )?(?:end of (?:the )?(?:day|business)|close of business|eod)\b/gi, 'today at 18:00'],
  [/\bafter lunch\b/gi, 'at 13:30'],
  [/\b(?:at |around )?lunch ?time\b/gi, 'at 12:00'],
  [/\bchristmas eve\b/gi, '24 December'],
  [/\bchristmas(?: day)?\b/gi, '25 December'],
  [/\bnew year['’]s eve\b/gi, '31 December'],
  [/\bnew year['’]s day\b/gi, '1 January'],
  [/\b(?:over|at|on|this|the)(?: the)? weekend\b/gi, 'on Saturday'],
];

/** The hour that part of a day means when no hour is named. The first that fits, so the narrow ones come first. */
export const dayParts: [RegExp, number][] = [
  [/\bafternoon, early\b/i, 13],
  [/\bevening, early\b/i, 18],
  [/\bmorning, late\b/i, 11],
  [/\bafternoon, late\b/i, 17],
  [/\b(?:evening|night),? late\b|\blate (?:at |to)night\b/i, 22],
  [/\bfirst thing\b/i, 8],
  [/\bearly\b/i, 7],
  [/\bmorning\b/i, 9],
  [/\bafternoon\b/i, 15],
  [/\bevening\b/i, 19],
  [/\b(?:to)?night\b/i, 20],
];

/** "on the 15th": the next day of that number, which no parser guesses. */
export function dayOfMonth(text: string, now: Date): string {
  return text.replace(/\bthe (\d{1,2})(?:st|nd|rd|th)\b(?! of)/gi, (all, number: string) => {
    const day = Number(number);
    if (day < 1 || day > 31) return all;
    for (let months = 0; months < 12; months++) {
      const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day));
      // A month without such a day runs over into the next one.
      if (date.getUTCDate() === day && date.getTime() > now.getTime()) return date.toISOString().slice(0, 10);
    }
    return all;
  });
}

const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const numberOf = (word: string): number => (/^\d+$/.test(word) ? Number(word) : numbers.indexOf(word.toLowerCase()));

function clock(all: string, hourWord: string, minutes: number): string {
  const hour = numberOf(hourWord);
  if (hour < 1 || hour > 12) return all;
  const at = (hour % 12 || 12) * 60 + minutes;
  return `at ${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}`;
}

function halves(all: string, count: string, unit: string): string {
  const number = numberOf(count);
  return number < 0 ? all : `${number}.5 ${unit}`;
}
