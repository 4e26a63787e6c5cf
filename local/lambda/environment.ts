import { devNull } from 'node:os';
import type { Resource } from '../template/template';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface EnvironmentOptions {
  region: string;
  /** Where every AWS client of the function goes. */
  awsUrl: string;
  credentials: Credentials;
  /** Replace variables that the function declares in the template; they add none, so that nothing works here that lacks on AWS. */
  variables: Readonly<Record<string, string>>;
  /** Where an address of AWS that the template gives the function is to be found here. */
  addressOf?: (value: string) => string;
}

/** What a function finds in `process.env`: its own variables and the ones that Lambda sets. Nothing of ours leaks in. */
export function lambdaEnvironment(lambda: Resource, options: EnvironmentOptions): Record<string, string> {
  const { properties } = lambda;
  const { addressOf = (value) => value } = options;
  const declared = (properties.Environment as { Variables?: Record<string, unknown> } | undefined)?.Variables ?? {};
  const own = Object.entries(declared).map(
    ([name, value]) => [name, options.variables[name] ?? addressOf(String(value))] as const,
  );
  return {
    AWS_ACCESS_KEY_ID: options.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: options.credentials.secretAccessKey,
    AWS_DEFAULT_REGION: options.region,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL: options.awsUrl,
    AWS_EXECUTION_ENV: `AWS_Lambda_${properties.Runtime ?? 'nodejs'}`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb(lambda)),
    AWS_LAMBDA_FUNCTION_NAME: lambda.ref,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${lambda.ref}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_REGION: options.region,
    // The developer's own AWS profile must not reach into the function.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    // The deployed runtime is a newer Node than a laptop may have: the warning would be about the laptop.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    LAMBDA_TASK_ROOT: lambda.assetPath ?? '',
    LANG: 'en_US.UTF-8',
    PATH: process.env.PATH ?? '',
    TZ: ':UTC',
    _HANDLER: String(properties.Handler),
    ...Object.fromEntries(own),
  };
}

export function memoryMb(lambda: Resource): number {
  return Number(lambda.properties.MemorySize ?? 128);
}
