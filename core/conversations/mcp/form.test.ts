import { fieldsOf } from 'vigil-client/shared';
import { wrongReadings } from '../../../test/support/odd-answers';
import { readOutsideJson } from '../../base/json/foreign-json';
import { ServerQuestion } from '../../base/state/isolated-call';
import { newCallback } from '../calls/callback';
import { callbackRow, StoredCallback } from '../rows/rows';
import { blankForm, contentOf, formProblem } from './form';

const question = {
  message: 'Which table?',
  form: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', default: 'Ada' },
      guests: { type: 'integer', minimum: 1 },
      wine: { type: 'string', oneOf: [{ const: 'red', title: 'Red' }] },
      extras: { type: 'array', items: { type: 'string', enum: ['bread'] } },
    },
    required: ['guests'],
  },
};
const entered = { name: 'Bo', guests: 2, wine: 'red', extras: ['bread'] };

test('whatever changes in a server’s question, it is asked and read, or not asked (R189)', async () => {
  const read = (json = '') => ServerQuestion.parse(readOutsideJson(json, 'result'));
  const isFit = (asked: ServerQuestion) => {
    if (formProblem(asked)) return;
    const more = {
      id: 'c.q1',
      runId: 'r',
      kind: 'approval' as const,
      prompt: 'x',
      expiresInSeconds: 9,
      question: asked,
    };
    const callback = newCallback({ ...more, ...blankForm(asked) }, new Date(0));
    const row = StoredCallback.parse(callbackRow(callback));
    fieldsOf({ ...row, schema: asked.form });
    for (const form of [entered, row.arguments as object, {}]) {
      const content = contentOf(asked, form);
      if (Array.isArray(content)) expect(content).toEqual([expect.any(String), expect.any(String)]);
    }
  };
  expect(await wrongReadings(question, { read, errors: ['ZodError', 'InvalidInput'], isFit })).toEqual([]);
});
