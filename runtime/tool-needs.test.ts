import { inspect } from 'node:util';
import * as z from 'zod';
import { TellModel } from '../core/base/text/errors';
import { defineTool, type ToolContext } from '../core/conversations/agent/tool';
import { secretsFor } from '../test/support/servers/secrets';
import { serveIsolated } from './serve-isolated';
import { withNeeds } from './tool-needs';

const plain = {
  name: 'chase',
  description: 'd',
  input: z.object({}),
  output: z.unknown(),
  effect: 'once',
  source: 'none',
} as const;
const needs = {
  secrets: ['INVOICES_API_KEY', 'MAIL_TOKEN'],
  variables: ['INVOICES_URL', 'MAIL_URL'],
  optional: ['MAIL_TOKEN', 'MAIL_URL'],
} as const;
const values: Record<string, string | undefined> = {};
let secrets: Awaited<ReturnType<typeof secretsFor>>;
beforeAll(async () => {
  secrets = await secretsFor(values);
});
afterAll(() => secrets.stop());
beforeEach(() => {
  values.invoices = 'key-of-invoices';
  values.mail = undefined;
  delete process.env.MAIL_URL;
  Object.assign(process.env, {
    INVOICES_API_KEY_SECRET_ARN: 'invoices',
    MAIL_TOKEN_SECRET_ARN: 'mail',
    INVOICES_URL: 'https://invoices.example',
  });
});

/** The tool with what its function gives it. */
const equipped = (execute: (context: ToolContext) => unknown) => {
  const run = async (_input: object, context: ToolContext) => execute(context);
  return withNeeds(
    defineTool({
      ...plain,
      needs,
      execute: run,
      compensate: async (input, _, context) => void (await run(input, context)),
    }),
  );
};
const given = {} as ToolContext;

test('a tool gets its secrets and variables by name, for its call and its undo (R247)', async () => {
  const seen: unknown[] = [];
  const tool = equipped(({ secrets, variables }) =>
    seen.push({ key: secrets.INVOICES_API_KEY, token: secrets.MAIL_TOKEN, ...variables }),
  );
  await tool.execute({}, given);
  await tool.compensate?.({}, undefined, given);
  const one = {
    key: 'key-of-invoices',
    token: undefined,
    INVOICES_URL: 'https://invoices.example',
    MAIL_URL: undefined,
  };
  expect(seen).toEqual([one, one]);
});

test.each([
  [
    'a secret',
    () => Object.assign(values, { invoices: undefined }),
    "INVOICES_API_KEY is not set: on a laptop, set INVOICES_API_KEY in the environment of `vigil start`; on AWS, put it into the secret that the stack's output InvoicesApiKeySecretArn names.",
  ],
  [
    'a variable',
    () => void delete process.env.INVOICES_URL,
    'INVOICES_URL is not set: on a laptop, set INVOICES_URL in the environment of `vigil start`; on AWS, deploy with it (`variables` of the construct).',
  ],
])(
  '%s that is unset stops the call and its undo before the tool runs, by name (R247)',
  async (_kind, unset, message) => {
    unset();
    const run = jest.fn();
    const tool = equipped(run);
    for (const attempt of [() => tool.execute({}, given), () => tool.compensate!({}, undefined, given)])
      await expect(attempt()).rejects.toMatchObject({ name: 'ConfigurationError', message });
    expect(run).not.toHaveBeenCalled();
  },
);

test('a secret is read once, and again after a failed attempt (R247)', async () => {
  let fails = false;
  const tool = equipped(({ secrets }) => {
    if (fails) throw new TellModel('The key is refused.');
    return secrets.INVOICES_API_KEY;
  });
  expect(await tool.execute({}, given)).toBe('key-of-invoices');
  values.invoices = 'corrected';
  expect(await tool.execute({}, given)).toBe('key-of-invoices');
  fails = true;
  await expect(tool.execute({}, given)).rejects.toThrow('The key is refused.');
  fails = false;
  expect(await tool.execute({}, given)).toBe('corrected');
});

test('a secret that cannot be read has had no effect, so the attempt is repeated (R247)', async () => {
  delete process.env.AWS_ACCESS_KEY_ID;
  const address = process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER;
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = 'http://127.0.0.1:9';
  const tool = equipped(() => 1);
  const attempt = tool.execute({}, given);
  await expect(attempt).rejects.toMatchObject({
    name: 'ToolFailed',
    message: expect.stringMatching(/^The secret (INVOICES_API_KEY|MAIL_TOKEN) could not be read \(\w+\)\.$/),
  });
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = address;
  process.env.AWS_ACCESS_KEY_ID = 'test';
});

test('neither an error, a log of the context nor its JSON has a secret (R247)', async () => {
  let shown = '';
  const tool = equipped((context) => {
    shown = `${JSON.stringify(context)} ${inspect(context)}`;
    const { secrets } = context;
    throw new Error(`GET https://invoices.example?key=${secrets.INVOICES_API_KEY}`, {
      cause: new Error(`refused ${secrets.INVOICES_API_KEY}`),
    });
  });
  const error = (await Promise.resolve(tool.execute({}, given)).catch((thrown) => thrown)) as Error;
  expect(error.message).toBe('GET https://invoices.example?key=[INVOICES_API_KEY]');
  expect(`${shown} ${error.stack} ${inspect(error)}`).not.toContain('key-of-invoices');
});

test('the function of an isolated tool has them, and what it needs is no part of its answer (R247)', async () => {
  const tool = defineTool({
    ...plain,
    needs,
    isolated: true,
    execute: async (_input, { secrets, variables, ...rest }) => ({
      ...rest,
      length: secrets.INVOICES_API_KEY.length,
      url: variables.INVOICES_URL,
    }),
  });
  const call = () => serveIsolated(tool)({ input: {}, callId: 'r.1.00', attempt: 1, now: '2026-03-01T08:00:00.000Z' });
  expect(await call()).toMatchObject({ output: { length: 15, url: 'https://invoices.example', callId: 'r.1.00' } });
  values.invoices = undefined;
  expect(await call()).toMatchObject({
    failure: { name: 'ConfigurationError', message: expect.stringContaining('INVOICES_API_KEY is not set') },
  });
});
