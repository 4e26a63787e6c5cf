import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IVpc } from 'aws-cdk-lib/aws-ec2';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Built } from './bundling/build';
import type { Domain } from './page/domain';
import type { McpProps } from './page/mcp-server';
import type { Auth } from './page/users';
import type { TypedSettings } from './typed-settings';
import type { AlarmSettings } from './watch/alarms';

/** Relative folders start from the app's working directory. docs/deploy.md has all props as a table. */
export interface VigilProps extends TypedSettings {
  /** The folder of the agents: all exports of its files `*-agent.ts`. Or what has been built already. */
  readonly agents: string | Built;
  /** The folders with the files of the agents' tools, in addition to the tools that come with Vigil. */
  readonly tools?: string[];
  /** Functions of the app for tools that are declared `foreign`, by the tools' names. */
  readonly functions?: Record<string, IFunction>;
  /** Values of the variables and topics that tools declare, and any variable of docs/settings.md. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /**
   * Existing secrets, by the variable that has the key on a laptop: `OPENAI_API_KEY`. Also `WEBHOOK_KEY` and `PUSH_KEY`,
   * which the stack generates otherwise.
   */
  readonly secrets?: Record<string, ISecret>;
  /** An existing table instead of a new one, for example a restored one. */
  readonly table?: ITable;
  /** Who signs in. Default: a new user pool. */
  readonly auth?: Auth;
  /** Whether CloudFront hosts the page, or the folder of a page that you have built. Default: false. */
  readonly page?: boolean | string;
  /** Whether the agents are an MCP server, and for which clients. Default: false. */
  readonly mcp?: boolean | McpProps;
  readonly domain?: { readonly page?: Domain; readonly api?: Domain };
  /**
   * A web ACL of AWS WAF for the page and the API behind it: of scope CLOUDFRONT, so in us-east-1. An HTTP API and a
   * WebSocket API cannot have one of their own.
   */
  readonly waf?: { readonly webAclArn: string };
  /** The VPC of all functions. */
  readonly vpc?: IVpc;
  /** Encrypts the tables, the secrets, the queue, the logs and the functions' variables. */
  readonly encryptionKey?: IKey;
  /** Whom alarms notify, and when they are raised. The alarms exist in any case. */
  readonly alarms?: AlarmSettings;
  /** Default: a month. */
  readonly logRetention?: RetentionDays;
  /** Whether the table and the user pool refuse to be deleted. Default: true. */
  readonly deletionProtection?: boolean;
  /**
   * Whether the stack sets the role with which API Gateway writes WebSocket logs, which is one for the account and the
   * region. Default: true. Set it to false if the account has such a role.
   */
  readonly apiGatewayLogRole?: boolean;
}
