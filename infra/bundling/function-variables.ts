import { readFileSync } from 'node:fs';
import { bundlesOfFunction } from '../functions/shared-functions';

interface Template {
  Resources: Record<
    string,
    {
      Type: string;
      Properties?: { Environment?: { Variables?: Record<string, unknown> } };
      Metadata?: Record<string, unknown>;
    }
  >;
}

/** The variables that Lambda itself sets. The credentials are placeholders. */
const ofLambda = {
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  LANG: 'en_US.UTF-8',
  NODE_NO_WARNINGS: '1',
  TZ: ':UTC',
};

/**
 * Returns the environment variables of each function of a synthesized template, by the id of its bundle. Values that only
 * a deployment knows are replaced by placeholders of the same form.
 */
export function functionVariables(template: string): Record<string, Record<string, string>> {
  const { Resources } = JSON.parse(readFileSync(template, 'utf8')) as Template;
  const functions = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::Lambda::Function');
  return Object.fromEntries(
    functions.flatMap(([id, { Properties, Metadata }]) =>
      bundlesIn(id, Metadata).map((one) => [one, variablesOf(id, Properties?.Environment?.Variables ?? {})]),
    ),
  );
}

/** Returns the ids of a function's bundles: its own, unless it is shared. */
export const bundlesIn = (id: string, metadata: Readonly<Record<string, unknown>> = {}): string[] =>
  (metadata[bundlesOfFunction] as string[] | undefined) ?? [id];

/** Returns the environment variables of a function with these declared ones. */
export function variablesOf(id: string, declared: Record<string, unknown>): Record<string, string> {
  const own = Object.entries(declared).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : standIn(name),
  ]);
  return { ...ofLambda, AWS_LAMBDA_FUNCTION_NAME: id, ...Object.fromEntries(own) };
}

function standIn(name: string): string {
  if (name.endsWith('_ARN')) return 'arn:aws:none:us-east-1:000000000000:none';
  return name.endsWith('_URL') ? 'https://none.invalid' : 'none';
}
