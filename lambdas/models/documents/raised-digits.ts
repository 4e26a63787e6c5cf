const above = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const below = '₀₁₂₃₄₅₆₇₈₉';

const withDigits = (text: string, digits: string, minus: string): string =>
  /^\s*[-−]?\d{1,4}\s*$/.test(text)
    ? text.replace(/\d/g, (digit) => digits[Number(digit)]!).replace(/[-−]/, minus)
    : text;

/** Returns a number that stands above the line with digits that do so in plain text, too: 10³ is not 103. Other text stays as it is. */
export const raised = (text: string): string => withDigits(text, above, '⁻');

/** The same of a number below the line, as in H₂O. */
export const lowered = (text: string): string => withDigits(text, below, '₋');

/** Returns how words are read that stand above or below the line, as formats say it: a name, or a shift of the line; undefined on the line. */
export const placed = (place = ''): ((text: string) => string) | undefined => {
  if (/^(?:sup|[1-9])/.test(place)) return raised;
  return /^(?:sub|-)/.test(place) ? lowered : undefined;
};
