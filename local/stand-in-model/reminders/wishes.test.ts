import { inSecondPerson } from './second-person';
import { isoSeconds } from './times';
import { corrected, isWish, readWishes } from './wishes';

const now = new Date('2026-03-10T10:30:00Z');
const read = (said: string) =>
  readWishes(said, now).map(({ at, rule, message }) => [rule?.cron ?? isoSeconds(at), message]);

describe('wishes', () => {
  test.each<[said: string, ...wishes: [at: string, message: string][]]>([
    [
      'Remind me tomorrow at 8am, bright and early, to check out https://example.org/news',
      ['2026-03-11T08:00:00Z', 'Time to check out https://example.org/news'],
    ],
    ['Remind me to call my mother in ten minutes.', ['2026-03-10T10:40:00Z', 'Time to call your mother.']],
    ['tomorrow morning, early: stretch', ['2026-03-11T07:00:00Z', 'Stretch.']],
    [
      'Please remind me tonight about the laundry',
      ['2026-03-10T20:00:00Z', 'You wanted to be reminded of the laundry.'],
    ],
    ['Hey, can you remind me that I am out of milk at 5?', ['2026-03-10T17:00:00Z', 'You are out of milk.']],
    [
      'In an hour remind me of the meeting on Friday at 9',
      ['2026-03-10T11:30:00Z', 'You wanted to be reminded of the meeting on Friday at 9.'],
    ],
    [
      'Remind me tomorrow about the call on Friday at 9',
      ['2026-03-11T09:00:00Z', 'You wanted to be reminded of the call on Friday at 9.'],
    ],
    ['Remind me tomorrow to call Ann at 4', ['2026-03-11T16:00:00Z', 'Time to call Ann.']],
    [
      'Remind me to read https://example.com/2027-01-01/tomorrow in 3 weeks',
      ['2026-03-31T10:30:00Z', 'Time to read https://example.com/2027-01-01/tomorrow'],
    ],
    [
      'Remind me tomorrow at 8 to call Ann and on Friday at 9 to pay the rent',
      ['2026-03-11T08:00:00Z', 'Time to call Ann.'],
      ['2026-03-13T09:00:00Z', 'Time to pay the rent.'],
    ],
    [
      'Remind me to call Ann and Bob in an hour, and remind me tonight to sleep',
      ['2026-03-10T11:30:00Z', 'Time to call Ann and Bob.'],
      ['2026-03-10T20:00:00Z', 'Time to sleep.'],
    ],
    [
      'Remind me tomorrow at 8 and at 11 to take my pills',
      ['2026-03-11T08:00:00Z', 'Time to take your pills.'],
      ['2026-03-11T11:00:00Z', 'Time to take your pills.'],
    ],
    [
      'Reminders:\n- tomorrow: water the plants\n- next Friday at noon: pay the rent',
      ['2026-03-11T09:00:00Z', 'Water the plants.'],
      ['2026-03-20T12:00:00Z', 'Pay the rent.'],
    ],
    ['Remind me to water the plants', ['2026-03-10T11:30:00Z', 'Time to water the plants.']],
    ['Set a reminder for 6pm to leave', ['2026-03-10T18:00:00Z', 'Time to leave.']],
    ['I need to renew my passport by next month', ['2026-04-10T09:00:00Z', 'Time to renew your passport.']],
    ['Tomorrow morning, early, remind me to feed the cat', ['2026-03-11T07:00:00Z', 'Time to feed the cat.']],
    [
      "Remind me of mom's birthday on the 3rd of May",
      ['2026-05-03T09:00:00Z', "You wanted to be reminded of mom's birthday."],
    ],
    ['remind me every Monday at 9am to send the report', ['0 9 * * 1', 'Time to send the report.']],
    ['tomorrow 8 to call the bank', ['2026-03-11T08:00:00Z', 'Time to call the bank.']],
    ['In 2 hours, tell me to check the oven', ['2026-03-10T12:30:00Z', 'Time to check the oven.']],
    ['snooze 10 minutes', ['2026-03-10T10:40:00Z', '']],
    ['Remind me in 5 minutes', ['2026-03-10T10:35:00Z', '']],
  ])('%s', (said, ...wishes) => {
    expect(read(said)).toEqual(wishes);
  });

  test('a request without a time is marked as assumed', () => {
    expect(readWishes('Remind me to water the plants', now)[0]?.isAssumed).toBe(true);
    expect(readWishes('Remind me tomorrow to water the plants', now)[0]?.isAssumed).toBeUndefined();
  });

  test.each([
    ['Actually, make it 9am', '2026-03-13T09:00:00Z'],
    ['no, on Thursday', '2026-03-12T16:00:00Z'],
    ['in ten minutes instead', '2026-03-10T10:40:00Z'],
    ['make that Monday at noon', '2026-03-16T12:00:00Z'],
  ])('a correction moves the day or the hour: %s', (said, at) => {
    const [wish] = readWishes('Remind me on Friday at 4pm to call Ann', now);
    const moved = wish && corrected(wish, said, now);
    expect(moved && [isoSeconds(moved.at), moved.message]).toEqual([at, 'Time to call Ann.']);
  });

  test.each([
    ['Remind me to eat', true],
    ['tomorrow at 8: gym', true],
    ['What time is it?', false],
    ['thanks', false],
    ['Will it rain tomorrow?', false],
  ])('%s is a wish: %s', (said, expected) => {
    expect(isWish(said, now)).toBe(expected);
  });

  test('a message without a subject is empty', () => {
    expect(inSecondPerson('please remind me, thanks')).toBe('');
  });
});
