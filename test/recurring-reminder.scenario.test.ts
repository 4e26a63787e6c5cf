import { type StandInModel, startStandInModel } from '../local/stand-in-model';
import type { User } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { timersOf } from './support/stories/timers';
import { wordsOf } from './support/stories/transcript';

// The shipped reminder agent, played by the model that comes with `npm start`: what a person sees who has no key.

describe('a reminder that recurs (R40, R49)', () => {
  let model: StandInModel;
  let vigil: Vigil;
  let ada: User;
  beforeAll(async () => {
    model = await startStandInModel({ pauseMs: 0 });
    vigil = await startVigil({ variables: { OPENAI_BASE_URL: model.url } });
    ada = await vigil.user();
  });
  afterAll(async () => {
    await vigil?.stop();
    await model?.stop();
  });

  const sayings = async (id: string) => wordsOf(await ada.read(id)).map(([author, text]) => `${author}: ${text}`);
  const until = (id: string, last: RegExp) =>
    ada.until(id, ({ messages, status }) => status === 'done' && last.test(messages.at(-1)?.text ?? ''));

  test('is arranged, comes every day, is listed and cancelled', async () => {
    const { id } = await ada.start('reminder', 'Remind me every day at 8 to water the plants');
    const { timers } = await until(id, /^The next time is/);
    expect(timers).toMatchObject([{ kind: 'repeat', rule: '0 8 * * *', text: 'Time to water the plants.' }]);
    await timersOf(vigil).until(timers[0]!.id, 'RUNNING');

    for (let day = 1; day <= 2; day++) {
      const next = (await ada.read(id)).timers[0]!.nextAt;
      const seconds = Math.ceil((Date.parse(next) - (await vigil.now()).getTime()) / 1_000) + 5;
      await vigil.advance(`PT${seconds}S`);
      await ada.until(id, ({ messages, status }) => {
        const delivered = messages.filter(({ text }) => text === '⏰ Time to water the plants.').length;
        return delivered === day && status === 'done' && messages.at(-1)?.text === 'Done: I have reminded you.';
      });
    }
    expect((await sayings(id)).slice(-3)).toEqual([
      expect.stringMatching(/^repeat: 🔁 Due at .* \(0 8 \* \* \* UTC\): Time to water the plants\.$/),
      'reminder: ⏰ Time to water the plants.',
      'reminder: Done: I have reminded you.',
    ]);

    await ada.say(id, 'What reminders do I have?');
    await until(id, /^“Time to water the plants.” comes next on/);
    await ada.say(id, 'Cancel the plants reminder');
    expect((await until(id, /^Cancelled/)).timers).toMatchObject([{ status: 'cancelled', fired: 2 }]);
    await ada.say(id, 'What reminders do I have?');
    await until(id, /^You have no reminders\.$/);
  });

  test('wakes the sleep of one for once, which comes at its own time all the same', async () => {
    const { id } = await ada.start('reminder', 'Remind me every 2 hours to drink. Remind me in 5 hours to go home');
    const { until: goHome, timers } = await ada.asleep(id);
    await timersOf(vigil).until(timers[0]!.id, 'RUNNING');
    for (let time = 1; time <= 2; time++) {
      await vigil.advance('PT2H');
      await ada.until(id, ({ messages, status }) => {
        const drinks = messages.filter(({ text }) => text === '⏰ Time to drink.').length;
        return drinks === time && status === 'sleeping';
      });
    }
    expect((await ada.read(id)).until).toBe(goHome);
    await vigil.advance('PT1H');
    await ada.until(id, ({ messages }) => messages.some(({ text }) => text === '⏰ Time to go home.'));
  });
});
