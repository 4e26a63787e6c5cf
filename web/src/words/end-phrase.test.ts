import { message } from '../../../test/support/page/rows';
import { forPeople } from './end-phrase';

const agents = [{ name: 'travel', purpose: '', examples: [], endPhrase: 'PLAN COMPLETE' }];
const reply = (text: string, author = 'travel') => message(1, { role: 'assistant', author, text });

test.each([
  ['Day 1: Kyoto.\n\nPLAN COMPLETE', 'Day 1: Kyoto.'],
  ['To the sea. PLAN COMPLETE', 'To the sea.'],
  ['Day 1.\n\n**PLAN COMPLETE**\n', 'Day 1.'],
  ['Day 1.\n\n### PLAN COMPLETE.', 'Day 1.'],
  ['PLAN COMPLETE', ''],
  ['I say PLAN COMPLETE when it is.', 'I say PLAN COMPLETE when it is.'],
])('the phrase that ends an agent’s work is not shown: %j (R158)', (text, shown) => {
  expect(forPeople(reply(text), agents)).toBe(shown);
});

test('it stays in what users and other agents say (R158)', () => {
  expect(forPeople(reply('PLAN COMPLETE', 'bank'), agents)).toBe('PLAN COMPLETE');
  expect(forPeople({ ...reply('PLAN COMPLETE'), role: 'user' }, agents)).toBe('PLAN COMPLETE');
});

test('no part of it is shown while a reply grows; a word that begins like it comes with its next letter (R207)', () => {
  const growing = (text: string) => forPeople({ ...reply(text), status: 'streaming' }, agents);
  const whole = 'Pack a P, then go.\n\n**PLAN COMPLETE**';
  for (let length = 'Pack a P, then go.'.length; length <= whole.length; length++)
    expect(
      growing(whole.slice(0, length))
        .trim()
        .replace(/\n+\**$/, ''),
    ).toBe('Pack a P, then go.');
  expect([growing('Pack a PLA'), growing('Pack a PLAY')]).toEqual(['Pack a', 'Pack a PLAY']);
  expect(growing('STOP')).toBe('STOP');
});
