import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ConfigurationError, ToolFailed } from '../core/base/text/errors';
import { asError } from '../core/base/text/thrown';
import { type FunctionTool, type IsolatedTool, type Needs, secretOutput } from '../core/conversations/agent/tool';
import type { EquipGuard } from '../core/conversations/guards/check';
import type { Guard } from '../core/conversations/guards/guard';
import { optionalVariable } from './environment';
import { type Secret, secret } from './secret';

type Found = Record<string, string | undefined>;
interface Given {
  secrets: Readonly<Found>;
  variables: Readonly<Found>;
}

/**
 * Returns the tool with functions that get the values of its `needs` in their context. All are read before the tool's own code runs, so
 * without one of them nothing has happened. A failed attempt forgets the secrets, so that the next one reads a corrected key.
 */
export function withNeeds<Tool extends FunctionTool | IsolatedTool>(tool: Tool): Tool {
  const { execute, compensate, needs = {} } = tool as FunctionTool;
  const withValues = givingNeeds(needs);
  if (!withValues) return tool;
  const equipped: Partial<FunctionTool> = {
    execute: (input, context) => withValues((given) => execute(input, { ...context, ...given })),
    compensate:
      compensate &&
      ((input, output, context) => withValues((given) => compensate(input, output, { ...context, ...given }))),
  };
  return { ...tool, ...equipped };
}

/** Returns a function that gives guards the values of their `needs`, which are read as those of tools. */
export function guardEquipment(): EquipGuard {
  const known = new Map<Guard, ReturnType<typeof givingNeeds>>();
  return (guard, run) => {
    if (!known.has(guard)) known.set(guard, givingNeeds(guard.needs ?? {}));
    return known.get(guard)?.(run) ?? run({ secrets: {}, variables: {} });
  };
}

type Work<Result> = (given: Given) => Promise<Result>;

/** Returns undefined if nothing is needed. */
function givingNeeds({
  secrets = [],
  variables = [],
  optional = [],
}: Needs): (<Result>(run: Work<Result>) => Promise<Result>) | undefined {
  if (secrets.length + variables.length === 0) return undefined;
  let stored: Map<string, Secret> | undefined;
  return withValues;

  async function withValues<Result>(run: Work<Result>): Promise<Result> {
    const given = await read();
    try {
      return await run(given);
    } catch (error) {
      forgetSecrets();
      throw withoutSecrets(asError(error), given.secrets);
    }
  }

  async function read(): Promise<Given> {
    const found = variables.map((name) => [name, optionalVariable(name)] as const);
    const kept = await Promise.all(secrets.map(async (name) => [name, await readSecret(name)] as const));
    const unset = [...kept, ...found].find(([name, value]) => value === undefined && !optional.includes(name));
    if (!unset) return { secrets: hidden(kept), variables: Object.fromEntries(found) };
    forgetSecrets();
    throw new ConfigurationError(unsetWords(unset[0], secrets.includes(unset[0])));
  }

  function forgetSecrets(): void {
    for (const one of stored?.values() ?? []) one.forget();
  }

  async function readSecret(name: string): Promise<string | undefined> {
    try {
      stored ??= storedSecrets(secrets);
      return await stored.get(name)!.find();
    } catch (error) {
      const { name: kind } = asError(error);
      if (kind === 'ConfigurationError') throw error;
      throw new ToolFailed(`The secret ${name} could not be read (${kind}).`, { cause: error });
    }
  }
}

function storedSecrets(names: readonly string[]): Map<string, Secret> {
  const client = new SecretsManagerClient({});
  return new Map(names.map((name) => [name, secret(client, `${name}_SECRET_ARN`, name)]));
}

const unsetWords = (name: string, isSecret: boolean): string => {
  const onAws = isSecret
    ? `put it into the secret that the stack's output ${secretOutput(name)} names`
    : 'deploy with it (`variables` of the construct)';
  return `${name} is not set: on a laptop, set ${name} in the environment of \`vigil start\`; on AWS, ${onAws}.`;
};

/** Neither JSON nor a log of the context shows the values. */
const hidden = (values: readonly (readonly [string, string | undefined])[]): Readonly<Found> =>
  Object.freeze(Object.defineProperties({}, Object.fromEntries(values.map(([name, value]) => [name, { value }]))));

const mostCauses = 10;
/** A shorter value is no key, and its letters may stand anywhere. */
const shortestKey = 6;

/** An error may quote a request with a key. The call's row and the log have its words. */
function withoutSecrets(error: Error, secrets: Readonly<Found>, causes = 0): Error {
  const keys = Object.getOwnPropertyNames(secrets).filter((name) => (secrets[name] ?? '').length >= shortestKey);
  for (const field of ['message', 'stack'] as const) {
    const text = error[field] ?? '';
    const clean = keys.reduce((rest, name) => rest.replaceAll(secrets[name]!, `[${name}]`), text);
    if (clean !== text) Object.defineProperty(error, field, { value: clean });
  }
  if (error.cause instanceof Error && causes < mostCauses) withoutSecrets(error.cause, secrets, causes + 1);
  return error;
}
