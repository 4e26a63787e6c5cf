import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { modelKey } from './model-key';

describe("the model's key", () => {
  beforeEach(() => {
    process.env.MODEL_KEY_SECRET_ARN = 'arn:secret';
  });
  afterEach(() => {
    delete process.env.MODEL_KEY_SECRET_ARN;
  });
  const holding = (...values: string[]) => {
    const send = jest.fn(async () => ({ SecretString: values.length > 1 ? values.shift() : values[0] }));
    return { send, key: modelKey({ send } as unknown as SecretsManagerClient) };
  };

  test('is read once and kept, without the spaces around it', async () => {
    const { key, send } = holding(' sk-one\n');
    expect([await key.get(), await key.get()]).toEqual(['sk-one', 'sk-one']);
    expect(send).toHaveBeenCalledTimes(1);
  });

  test('that was refused is looked up again: another one is taken, the same one is not kept (R98)', async () => {
    const { key, send } = holding('sk-one', 'sk-two');
    expect(await key.get()).toBe('sk-one');
    expect(await key.replaced('sk-one')).toBe(true);
    expect(await key.get()).toBe('sk-two');
    expect(send).toHaveBeenCalledTimes(2);
    expect(await key.replaced('sk-two')).toBe(false);
    await key.get();
    expect(send).toHaveBeenCalledTimes(4);
  });

  test.each(['', ' \n', 'sk-one\nsk-two', 'schlüssel'])('%j is no key, and is not quoted', async (value) => {
    const error = await holding(value)
      .key.get()
      .catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name: 'ConfigurationError', message: expect.stringMatching(/put the key into it/) });
    expect(String(error)).not.toMatch(/sk-|schl/);
  });
});
