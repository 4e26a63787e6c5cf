import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { secret } from './secret';

beforeEach(() => {
  process.env.SOME_SECRET_ARN = 'arn:secret';
});
afterEach(() => {
  delete process.env.SOME_SECRET_ARN;
});

function answering(answer: () => unknown) {
  const send = jest.fn(async () => answer());
  return { send, key: secret({ send } as unknown as SecretsManagerClient, 'SOME_SECRET_ARN', 'some key') };
}
const failing = (name: string) => () => {
  throw Object.assign(new Error('no'), { name });
};

test.each([
  ['nobody has put a value in', failing('ResourceNotFoundException')],
  ['the value is blank', () => ({ SecretString: ' \n' })],
])(
  '%s: there is none, which is cached if the secret is optional, and an error if it is not (R35)',
  async (_, answer) => {
    const { key, send } = answering(answer);
    expect([await key.find(), await key.find()]).toEqual([undefined, undefined]);
    expect(send).toHaveBeenCalledTimes(1);
    await expect(key.get()).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: 'The secret with some key is empty: put the key into it.',
    });
  },
);

test('a value that was added after a failed attempt is found at the next one', async () => {
  const values = ['', 'k-1'];
  const { key } = answering(() => ({ SecretString: values.shift() }));
  await expect(key.get()).rejects.toThrow('is empty');
  expect(await key.get()).toBe('k-1');
});

test('a secret that may not be read is no missing one', async () => {
  await expect(answering(failing('AccessDeniedException')).key.find()).rejects.toThrow('no');
});
