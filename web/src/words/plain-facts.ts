import { filesIn } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { numeral } from './amounts';
import { day, moment, plain } from './words';

/** An argument or a part of a result as people read it. */
export interface Fact {
  /** Empty if the whole value has no parts. */
  label: string;
  text: string;
}

/** Returns a value of JSON as lines: what has no words for people, as ids and references to files, is left out. */
export function plainFacts(value: unknown, now: number): Fact[] {
  const parts: [string, unknown][] = isRecord(value) ? Object.entries(value).filter(isForPeople) : [['', value]];
  return parts.flatMap(([name, one]) => {
    const text = plainValue(one, now);
    return text === '' ? [] : [{ label: labelOf(name), text }];
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && filesIn(value).length === 0;

const isForPeople = ([name]: [string, unknown]): boolean => !/^id$|_id$|[a-z]Id$/.test(name);

/** "Amount cents" */
const labelOf = (name: string): string =>
  plain(name.replace(/([a-z\d])([A-Z])/g, (_, end: string, begin: string) => `${end} ${begin.toLowerCase()}`)).replace(
    /^[a-z]/,
    (first) => first.toUpperCase(),
  );

/** Returns what was written for a model, such as an error of a tool, without names of tools and fields. */
export const plainText = (text: string): string =>
  text.replaceAll('`', '').replace(/\b[a-z\d]+(?:_[a-z\d]+)+\b/g, plain);

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/;
const date = /^\d{4}-\d\d-\d\d$/;

/** Returns a value in words, without brackets, quotes and braces. A time without a zone stays as the clock says it. */
export function plainValue(value: unknown, now: number): string {
  if (value === null || value === undefined || filesIn(value).length > 0) return '';
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'number') return numeral(value);
  if (Array.isArray(value)) {
    const all = value.map((one) => plainValue(one, now)).filter((text) => text !== '');
    return all.join(value.some((one) => typeof one === 'object') ? '\n' : ', ');
  }
  if (typeof value === 'object')
    return plainFacts(value, now)
      .map(({ label, text }) => `${label}: ${text}`)
      .join(' · ');
  const text = String(value).trim();
  if (time.test(text)) return moment(text, now);
  return date.test(text) ? day(Date.parse(`${text}T12:00`), now) : text;
}
