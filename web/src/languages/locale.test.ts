const keptLanguage = 'vigil.language';

/** The locale in a browser with these languages, and with what it has kept. */
function localeOf(languages: string[], kept?: string): string {
  const stored = new Map(kept === undefined ? [] : [[keptLanguage, kept]]);
  const browser = {
    window: {},
    navigator: { languages },
    localStorage: { getItem: (key: string) => stored.get(key) ?? null },
  };
  for (const [name, value] of Object.entries(browser))
    Object.defineProperty(globalThis, name, { value, configurable: true });
  let locale = '';
  jest.isolateModules(() => {
    locale = (require('./locale') as typeof import('./locale')).locale();
  });
  return locale;
}

afterEach(() => {
  for (const name of ['window', 'localStorage']) Reflect.deleteProperty(globalThis, name);
});

test.each([
  ['the region of the browser', ['de-AT', 'en'], undefined, 'de-AT'],
  ['the chosen language, in the browser’s region of it', ['en-US', 'es-MX'], 'es', 'es-MX'],
  ['the chosen language, in its own region', ['en-US'], 'de', 'de-DE'],
  ['English for others', ['fr-FR'], undefined, 'en-GB'],
  ['what is no tag is left out', ['en-US@posix'], undefined, 'en-GB'],
  ['no digits that nobody can type', ['en-US-u-nu-arab'], undefined, 'en-US'],
  ['a damaged choice', ['es-ES'], '__proto__', 'es-ES'],
])('%s (R256)', (_, languages, kept, locale) => {
  expect(localeOf(languages, kept)).toBe(locale);
});
