import { IntlMessageFormat } from 'intl-messageformat';
import { fallbackLanguage, type Language, locale, ownLanguage } from './locale';

/** The messages of a language, by their English text, which is the catalogue's key and what English readers see. */
type Messages = Readonly<Record<string, string>>;
export type Value = string | number | boolean | null | undefined;

const loaders: Record<Exclude<Language, 'en'>, () => Promise<{ default: Messages }>> = {
  de: () => import('./de.json'),
  es: () => import('./es.json'),
};

let messages: Messages = {};
let formats = new Map<string, IntlMessageFormat>();

/** Loads the messages of the reader's language. Without them the page speaks English, rather than not at all. */
export async function loadLanguage(): Promise<void> {
  const language = ownLanguage();
  setMessages(language === 'en' ? {} : await loaders[language]().then(({ default: all }) => all, fallbackLanguage));
}

/** Sets the messages of the page. */
export function setMessages(all: Messages): void {
  messages = all;
  formats = new Map();
}

/** Returns the parsed message, which is kept: a list draws the same one for each of its rows. */
export function formatOf(message: string): IntlMessageFormat {
  let format = formats.get(message);
  if (!format) {
    format = new IntlMessageFormat(messages[message] ?? message, locale());
    formats.set(message, format);
  }
  return format;
}

/**
 * Returns a message in the reader's language. Call it inside a function: a module is evaluated before the language is known.
 *
 * @param message its English text in ICU's message format, as one literal: the catalogues are checked against these.
 * @example t('{count, plural, one {# file} other {# files}} sent', { count: 2 }) // '2 files sent'
 */
export const t = (message: string, values?: Readonly<Record<string, Value>>): string =>
  values ? String(formatOf(message).format(values)) : (messages[message] ?? message);
