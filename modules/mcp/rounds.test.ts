import fc from 'fast-check';
import { isJsonObject } from '../../core/base/json/json-object';
import { ServerRound } from '../../core/base/state/isolated-call';
import { continuation, roundIn, unanswered } from './rounds';

const form = { type: 'object', properties: { seat: { type: 'string' } } };
const elicitation = (message: string) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: form },
});

test('whatever a server asks, it is kept as it can be read again, and gets an answer for each of its names (R222)', () => {
  const odd = fc.oneof(
    fc.anything(),
    fc.constant(elicitation('Where?')),
    fc.record({ method: fc.constantFrom('elicitation/create', 'roots/list'), params: fc.anything() }),
  );
  const results = fc.record(
    {
      inputRequests: fc.oneof(fc.anything(), fc.dictionary(fc.string(), odd)),
      requestState: fc.oneof(fc.anything(), fc.string()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(results, fc.boolean(), fc.nat(3), (result, mayAsk, earlier) => {
      const given = JSON.parse(JSON.stringify(result)) as Record<string, unknown>;
      let round: ServerRound;
      try {
        round = roundIn(given, mayAsk, earlier);
      } catch (error) {
        expect((error as Error).message).toMatch(/^asks [^\n]+$/);
        return;
      }
      const kept = ServerRound.parse(JSON.parse(JSON.stringify(round)));
      expect(kept).toEqual(round);
      const answers = Array(earlier).fill({ message: '', form: {} });
      const sent = continuation(kept, answers) as { inputResponses?: object; requestState?: unknown };
      const names = isJsonObject(given.inputRequests) ? Object.keys(given.inputRequests) : [];
      expect(Object.keys(sent.inputResponses ?? {}).sort()).toEqual(names.sort());
      expect(sent.requestState).toBe(given.requestState);
      if (!mayAsk) expect(unanswered(kept, answers)).toBeUndefined();
    }),
  );
});

test('a state comes back exactly, whatever is in it (R222)', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (requestState) => {
      const round = roundIn({ requestState }, true, 0);
      expect(round.state).toMatch(/^[A-Za-z0-9+/=]*$/);
      expect(continuation(round, [])).toEqual({ requestState });
    }),
  );
});

test('questions are asked in their order, six are five and a refusal, and what is answered is not asked again (R222)', () => {
  const names = ['b', 'a', 'e', 'd', 'c', 'f'];
  const inputRequests = Object.fromEntries(names.map((name) => [name, elicitation(name)]));
  const round = roundIn({ inputRequests }, true, 1);
  const answers = [{ message: 'earlier', form, content: {} }];
  for (const name of names.slice(0, 5)) {
    const question = unanswered(round, answers)!;
    expect(question.message).toBe(name);
    answers.push({ ...question, content: { seat: name } } as never);
  }
  expect(unanswered(round, answers)).toBeUndefined();
  expect(continuation(round, answers)).toEqual({
    inputResponses: {
      ...Object.fromEntries(names.slice(0, 5).map((name) => [name, { action: 'accept', content: { seat: name } }])),
      f: { action: 'decline' },
    },
  });
});
