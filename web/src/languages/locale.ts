/** The languages of the page, by their own names. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español' } as const;
export type Language = keyof typeof languages;

/** Where the browser keeps the language that the reader has chosen; without one, it is the browser's. */
export const languageKept = 'vigil.language';

/** How dates are written where the reader's region is not known. */
const regions: Record<Language, string> = { en: 'en-GB', de: 'de-DE', es: 'es-ES' };

const isLanguage = (name: string | null): name is Language => name !== null && Object.hasOwn(languages, name);

/** Outside of a browser, there is nothing to ask. */
const preferred = (): readonly string[] => (typeof window === 'undefined' ? [] : navigator.languages);
const kept = (): string | null => (typeof window === 'undefined' ? null : localStorage.getItem(languageKept));

let language: Language | undefined;

/** Returns the language of the page: the one that the reader has chosen, the first of the browser's that the page has, or English. */
export function ownLanguage(): Language {
  const chosen = kept();
  language ??= isLanguage(chosen)
    ? chosen
    : (preferred()
        .map((tag) => tag.split('-')[0]!)
        .find(isLanguage) ?? 'en');
  return language;
}

/** Sets English where the catalogue of the reader's language has not arrived, so that words and formats agree. */
export function fallbackLanguage(): Record<string, string> {
  language = 'en';
  return {};
}

/** Returns the tag by which numbers and dates are written, such as "de-AT": the browser's, if it is of the page's language. */
export function locale(): string {
  const own = ownLanguage();
  return (
    preferred()
      .flatMap(plainTag)
      .find((tag) => tag.startsWith(`${own}-`)) ?? regions[own]
  );
}

/** Some browsers give what is no tag, such as "en-US@posix", or ask for other digits, which a person could not type into a field. */
function plainTag(tag: string): string[] {
  try {
    return [new Intl.Locale(tag).baseName];
  } catch {
    return [];
  }
}
