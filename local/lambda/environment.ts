import { devNull } from 'node:os';
import type { Resource } from '../template/template';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface EnvironmentOptions {
  region: string;
  /** The endpoint of every AWS client in the function. */
  awsUrl: string;
  credentials: Credentials;
  /**
   * Values for variables that the function declares in the template. Other variables are not added, because they would
   * be missing on AWS.
   */
  variables: Readonly<Record<string, string>>;
  /** Maps an AWS address in the template to its local address. */
  addressOf?: (value: string) => string;
}

/** Returns `process.env` of a function: its own variables and those that Lambda sets, and nothing of this process. */
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
    // The developer's AWS profile must not affect the function.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    // The warning would be about the laptop's Node; the deployed runtime is newer.
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
