import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IVpc } from 'aws-cdk-lib/aws-ec2';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import {
  anyText,
  anything,
  either,
  fields,
  flag,
  isText,
  listOf,
  number,
  optional,
  type Rule,
  recordOf,
  text,
} from '../core/base/schemas/definition';
import type { Built } from './bundling/build';
import type { ShareFunctions } from './functions/shared-functions';
import type { VigilModule } from './module';
import type { Domain } from './page/domain';
import type { Theme } from './page/theme';
import type { Auth, ExistingPool, Issuer, PageClient } from './page/users';
import { type TypedSettings, typedSettings } from './typed-settings';
import type { AlarmSettings } from './watch/alarms';

/** Relative folders start from the app's working directory. docs/deploy.md has all props as a table. */
export interface VigilProps extends TypedSettings {
  /** The folder of the agents: all exports of its files `*-agent.ts`. Or what has been built already. */
  readonly agents: string | Built;
  /** The folders with the files of the agents' tools, in addition to the tools that come with Vigil. */
  readonly tools?: string[];
  /** What the app has besides the kernel (modules/README.md). */
  readonly modules?: readonly VigilModule[];
  /**
   * Whether tools that need the same rights run in one function (docs/scale.md). A tool that is named in `except` has its own. Default: each has its own.
   */
  readonly shareFunctions?: ShareFunctions;
  /** Functions of the app for tools that are declared `foreign`, by the tools' names. */
  readonly functions?: Record<string, IFunction>;
  /** Values of the variables that tools declare, and variables of docs/settings.md. Those of modules are options of their functions. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /**
   * Existing secrets, by the variable that has the key on a laptop: `OPENAI_API_KEY`. Also `WEBHOOK_KEY` and `PUSH_KEY`,
   * which the stack generates otherwise.
   */
  readonly secrets?: Record<string, ISecret>;
  /** An existing table instead of a new one, for example a restored one. */
  readonly table?: ITable;
  /** An existing bucket for the conversations' files instead of a new one. It is used as it is (docs/files.md). */
  readonly files?: { readonly bucket?: IBucket };
  /** The users who sign in. Default: a new user pool. */
  readonly auth?: Auth;
  /** Whether CloudFront hosts the page, or the folder of a page that you have built. Default: false. */
  readonly page?: boolean | string;
  /** Colours, corners, density and fonts of the page (docs/page.md). Default: Vigil's own. */
  readonly theme?: Theme;
  readonly domain?: { readonly page?: Domain; readonly api?: Domain };
  /**
   * A web ACL of AWS WAF for the page and the API behind it: of scope CLOUDFRONT, so in us-east-1. An HTTP API and a
   * WebSocket API cannot have one of their own.
   */
  readonly waf?: { readonly webAclArn: string };
  /** The VPC of all functions. */
  readonly vpc?: IVpc;
  /** Encrypts the tables, the files, the secrets, the queue, the logs and the functions' variables. */
  readonly encryptionKey?: IKey;
  /** Whom alarms notify, and when they are raised. The alarms exist in any case. */
  readonly alarms?: AlarmSettings;
  /** Default: a month. */
  readonly logRetention?: RetentionDays;
  /**
   * Whether the table and the user pool refuse to be deleted. Default: as the stack's parameter `DeletionProtection` says, which is
   * off until a deployment sets it: what is protected keeps a first deployment that fails from being rolled back.
   */
  readonly deletionProtection?: boolean;
}

const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const texts = optional(listOf(text));
const domain = optional(fields<Domain>({ name: text, certificate: anything }));
const page = optional(
  fields<PageClient>({ clientId: anyText, scopes: texts, parameters: optional(recordOf(anyText)), origins: texts }),
);
const isIssuer = (value: unknown): boolean => typeof value === 'object' && value !== null && 'issuer' in value;

/** The rules of a construct's props. Values that need more than a type have errors of their own. */
export const vigilProps: Rule = fields<VigilProps>({
  ...typedSettings,
  agents: either(isText, text, (value, at) =>
    isText((value as Partial<Built> | undefined)?.bundles) ? undefined : [at, 'must be the folder of the agents'],
  ),
  tools: texts,
  modules: optional(listOf(anything)),
  shareFunctions: optional(either(isBoolean, flag, fields<{ except: readonly string[] }>({ except: listOf(text) }))),
  functions: optional(recordOf(anything)),
  variables: optional(recordOf(optional(anyText))),
  secrets: optional(recordOf(anything)),
  table: anything,
  files: optional(fields<NonNullable<VigilProps['files']>>({ bucket: anything })),
  auth: optional(
    either(
      isIssuer,
      fields<Issuer>({ issuer: text, audience: listOf(text), scopes: texts, page }),
      fields<ExistingPool>({ userPool: anything, client: anything, scopes: texts, page }),
    ),
  ),
  page: optional(either(isBoolean, flag, text)),
  // Its values have errors of their own.
  theme: optional(
    fields<Theme>({ colors: anything, radius: anything, density: anything, font: anything, fontOfCode: anything }),
  ),
  domain: optional(fields<NonNullable<VigilProps['domain']>>({ page: domain, api: domain })),
  waf: optional(fields<NonNullable<VigilProps['waf']>>({ webAclArn: text })),
  vpc: anything,
  encryptionKey: anything,
  alarms: optional(
    // Their values have errors of their own.
    fields<AlarmSettings>({
      topic: anything,
      failedRuns: anything,
      functionErrors: anything,
      throttles: anything,
      apiErrors: anything,
      modelSeconds: anything,
      dollarsInHour: anything,
    }),
  ),
  logRetention: optional(number),
  deletionProtection: optional(flag),
});
