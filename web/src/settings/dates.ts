import { locale } from '../languages/locale';
import { chosen } from './choices';

const isIso = (): boolean => chosen('dates') === 'iso';

/** Returns the tag by which dates and times are written. Sweden writes them as ISO 8601 does: 2026-11-28 14:00. */
export const dateLocale = (): string => (isIso() ? 'sv-SE' : locale());

/** Returns how a day of this year is written: "Sat 28 Nov", or 2026-11-28. */
export const dayParts = (): Intl.DateTimeFormatOptions =>
  isIso()
    ? { year: 'numeric', month: '2-digit', day: '2-digit' }
    : { weekday: 'short', day: 'numeric', month: 'short' };

/** Returns how a date is written alone: "28 Nov 2026", or 2026-11-28. */
export const dateStyle = (): 'medium' | 'short' => (isIso() ? 'short' : 'medium');
