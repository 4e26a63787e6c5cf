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

const asking = (name: string, field: object = {}) => ({
  message: 'Please fill this in',
  form: { type: 'object', properties: { [name]: { type: 'string', ...field } } },
});

test.each<[string, object?]>([
  ['Passwort'],
  ['neues_kennwort'],
  ['contraseña'],
  ['contrasen\u0303a'],
  ['clave'],
  ['otp'],
  ['cvc'],
  ['PIN'],
  ['apiKey'],
  ['api-key'],
  ['userPassword2'],
  ['accessTokens'],
  ['token'],
  ['client_secret'],
  ['ｐａｓｓｗｏｒｄ'],
  ['pass\u200bword'],
  ['𝐜𝐯𝐯'],
  ['a', { title: 'Código de verificación' }],
  ['a', { title: 'Kartenprüfnummer' }],
  ['a', { title: 'Bestätigungscode' }],
  ['a', { description: 'Security code on the back' }],
  ['a', { description: 'The one-time code from your app' }],
  ['a', { description: 'El número de la tarjeta' }],
  ['a', { description: 'Die PIN Ihrer Karte' }],
  ['a', { description: 'Do not give us your old password, but the new one' }],
  ['a', { description: 'Do not worry (we need your PIN)' }],
  ['a', { description: 'Do not give us your old password; instead, the new one' }],
  ['a', { description: 'Never share this form with anyone, enter your password below' }],
  ['a', { description: 'Don’t write an e-mail — enter the API key here' }],
  ['a', { description: 'Do not enter anything other than your PIN' }],
  ['a', { description: 'Never send this form without your password' }],
  ['a', { description: 'Never share this page！Enter your password' }],
  ['a', { description: 'Enter the security\ncode on the back' }],
  ['a', { description: 'Your card (number)' }],
  ['a', { title: 'Never share your password' }],
])('a form with the field %s %j asks for a secret, and is not shown (R269)', (...field) => {
  expect(formProblem(asking(...field))).toBe('for a secret, which a form must not ask for');
});

test.each<[string, object?]>([
  ['secretary_email'],
  ['tokens'],
  ['max_tokens', { description: 'The number of tokens' }],
  ['token_limit'],
  ['palabras_clave'],
  ['pinned'],
  ['shipping', { title: 'Shipping address', description: 'Opinion, spinach and tokenizer' }],
  ['passenger', { title: 'Passnummer' }],
  ['a', { description: 'Tan pronto como sea posible' }],
  ['zip_code', { title: 'Postal code' }],
  ['n', { description: 'A number (do not give us your phone number, pin, or other sensitive info)' }],
  ['a', { description: 'What it is about. Never include passwords!' }],
])('a form with the field %s %j asks for no secret (R269)', (...field) => {
  expect(formProblem(asking(...field))).toBeUndefined();
});

test.each<[object, string]>([
  [{ oneOf: [{ const: 'eu', title: 'Europe' }, { const: 'us' }] }, 'one of: eu (Europe), us'],
  [{ enum: ['eu', 'us'], enumNames: ['Europe', 'us'] }, 'one of: eu (Europe), us'],
  [
    { type: 'array', items: { anyOf: [{ const: 'eu', title: 'Europe' }] }, description: 'Where' },
    'Where; one of: eu (Europe)',
  ],
])('the titles of choices are shown with what is entered: %j (R269)', (field, hint) => {
  expect(blankForm(asking('region', field)).kinds).toEqual({ region: hint });
});
