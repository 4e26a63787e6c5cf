import { answering } from './answering';

const form = { type: 'object', properties: { city: { type: 'string' } } };
const question = (message: string) => ({ message, requestedSchema: form as never });
const answer = (message: string, city: string) => ({ message, form, content: { city } });

describe('what a server asks in the middle of a call (R175)', () => {
  test('gets the user’s answer to the same question, each once, in the order in which they were given', () => {
    const asking = answering([answer('From?', 'Bern'), answer('To?', 'Rome'), answer('To?', 'Oslo')]);
    expect(['To?', 'From?', 'To?'].map((message) => asking.answer(question(message)))).toEqual([
      { action: 'accept', content: { city: 'Rome' } },
      { action: 'accept', content: { city: 'Bern' } },
      { action: 'accept', content: { city: 'Oslo' } },
    ]);
    expect(() => asking.rethrow()).not.toThrow();
  });

  test('that is new is cancelled, and so is all that follows; the first one goes to the user', () => {
    const asking = answering([answer('From?', 'Bern')]);
    const asked = ['To?', 'When?', 'From?'].map((message) => asking.answer(question(message)));
    expect(asked).toEqual(Array(3).fill({ action: 'cancel' }));
    expect(() => asking.rethrow()).toThrow(expect.objectContaining({ question: { message: 'To?', form } }));
  });

  test('with another form is another question', () => {
    const other = { ...form, required: ['city'] };
    expect(answering([answer('From?', 'Bern')]).answer({ message: 'From?', requestedSchema: other as never })).toEqual({
      action: 'cancel',
    });
  });
});
