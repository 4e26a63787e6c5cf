/** What stands before a paragraph at one level of a list. */
export interface ListLevel {
  /** As ECMA-376 (part 1, 17.18.59) names it: `decimal`, `bullet`. */
  format: string;
  /** With `%1` for the number at the first level. */
  text: string;
  start: number;
}

/** Counts the paragraphs of lists, and says how each of them begins. */
export class ListLabels {
  private readonly counters = new Map<string, number[]>();

  /**
   * @param list paragraphs of one list are counted together.
   * @param level from 0.
   */
  next(list: string, level: number, levels: readonly (ListLevel | undefined)[]): string {
    const known = levels[level];
    if (!known) return '';
    const counts = (this.counters.get(list) ?? []).slice(0, level + 1);
    counts[level] = (counts[level] ?? known.start - 1) + 1;
    this.counters.set(list, counts);
    if (known.format === 'none') return '';
    if (known.format === 'bullet') return '- ';
    const numberAt = (place: number) => counts[place] ?? levels[place]?.start ?? 1;
    const text = known.text.replace(/%(\d)/g, (_, digit: string) => {
      const place = Number(digit) - 1;
      return numbered(numberAt(place), levels[place]?.format ?? 'decimal');
    });
    return text ? `${text} ` : '';
  }

  /** Has the next paragraph of a list start over. */
  restart(list: string, level: number, start: number): void {
    const counts = (this.counters.get(list) ?? []).slice(0, level);
    counts[level] = start - 1;
    this.counters.set(list, counts);
  }
}

const romans: [number, string][] = [
  [1_000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** Returns a number as a list shows it. @example numbered(4, 'lowerRoman') // 'iv' */
export function numbered(count: number, format: string): string {
  if (count < 1 || count > 3_999) return String(count);
  switch (format) {
    case 'lowerLetter':
    case 'upperLetter': {
      // After z come aa, bb, cc.
      const letter = String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26));
      return format === 'upperLetter' ? letter.toUpperCase() : letter;
    }
    case 'lowerRoman':
    case 'upperRoman': {
      let left = count;
      let text = '';
      for (const [value, letters] of romans)
        while (left >= value) {
          text += letters;
          left -= value;
        }
      return format === 'upperRoman' ? text.toUpperCase() : text;
    }
    case 'decimalZero':
      return String(count).padStart(2, '0');
    default:
      return String(count);
  }
}
