import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { findMessages } from '../../../test/support/page/messages';
import de from './de.json';
import es from './es.json';
import { languages } from './locale';

// Every word of the page is in its catalogue, in each of its languages.

const { uses, outside } = findMessages();
const catalogues: Record<string, Record<string, string>> = { de, es };

/** Returns the names of a message's values and tags, each once. */
function namesIn(elements: readonly MessageFormatElement[]): string[] {
  const names = elements.flatMap((element): string[] => {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        return [];
      case TYPE.select:
      case TYPE.plural:
        return [element.value, ...Object.values(element.options).flatMap(({ value }) => namesIn(value))];
      case TYPE.tag:
        return [element.value, ...namesIn(element.children)];
      default:
        return [element.value];
    }
  });
  return [...new Set(names)].sort();
}

const read = (message: string) => namesIn(parse(message));

/** What stays in English: names, commands, and what is wrong with a deployment before its page begins. */
const english = new RegExp(
  [
    'drafts\\.ts:\\d+ a new one',
    'session\\.ts:\\d+ ',
    'sign-in\\.ts:\\d+ openid',

    'machine-(?:picture|places)\\.tsx?:\\d+ (?:Route|Sleep|Done|Failed|Stopped|Undo)$',
    'stand-ins\\.tsx:\\d+ \\w+_API_KEY',
    // A selector.
    'receipt\\.tsx:\\d+ \\[data-row\\]',
    'usage\\.tsx:\\d+ Lambda',
    'timers\\.tsx:\\d+ timer',
    // The beginning of a sentence of the server's.
    'make-people\\.tsx:\\d+ It must',
  ].join('|'),
);

test('no word of the page stands outside of its messages (R256)', () => {
  expect(outside.filter((line) => !english.test(line))).toEqual([]);
  expect(uses.length).toBeGreaterThan(500);
});

test('each message is one literal, is said after the language is known, and gets the values that it names (R256)', () => {
  for (const { place, message, values, isTooEarly } of uses) {
    expect([place, message !== undefined, isTooEarly]).toEqual([place, true, false]);
    expect([place, values?.toSorted()]).toEqual([place, read(message!)]);
  }
});

test.each(Object.keys(languages).filter((language) => language !== 'en'))(
  '%s has exactly the messages of the page, with the same values and elements (R256)',
  (language) => {
    const translated = catalogues[language]!;
    const messages = new Set(uses.map(({ message }) => message!));
    expect(Object.keys(translated).filter((message) => !messages.has(message))).toEqual([]);
    expect([...messages].filter((message) => !Object.hasOwn(translated, message))).toEqual([]);
    const differing = [...messages].filter((message) => String(read(translated[message]!)) !== String(read(message)));
    expect(differing).toEqual([]);
  },
);
