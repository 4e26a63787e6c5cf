import { CfnOutput, RemovalPolicy, Tags, Validations } from 'aws-cdk-lib';
import { type CfnSecret, type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { secretId, secretOutput } from '../../core/conversations/agent/tool';
import { sharedBy } from '../shared';
import type { VigilFunction } from './vigil-function';

export interface ApiKeyProps {
  /** The variable that holds the key on a laptop. */
  variable: string;
  /** The purpose of the key, as in "The API key of the model provider". */
  of: string;
}

/** The tag of a secret that names the variable with its value on a laptop. */
export const variableTag = 'vigil:variable';

/**
 * The API key of a third-party service: a secret of the app (`secrets`), or one that the stack creates without a value.
 * The operator sets it. Until then, functions report the key as missing; a generated value would look like a real one.
 */
export class ApiKey extends Construct {
  readonly variable: string;
  readonly arn: string;
  private readonly secret: ISecret;

  constructor(scope: Construct, id: string, { variable, of }: ApiKeyProps) {
    super(scope, id);
    this.variable = variable;
    this.secret = sharedBy(this).secrets[variable] ?? this.create(of);
    this.arn = this.secret.secretArn;
  }

  grantRead(fn: VigilFunction): void {
    allowReading(this.secret, fn);
  }

  /** CloudFormation names the secret, so an output tells its ARN, with the command that sets the key. */
  private create(of: string): Secret {
    const logicalId = secretId(this.variable);
    const secret = new Secret(this, 'Secret', {
      description: of,
      encryptionKey: sharedBy(this).encryptionKey,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const resource = secret.node.defaultChild as CfnSecret;
    resource.generateSecretString = undefined;
    resource.overrideLogicalId(logicalId);
    Tags.of(secret).add(variableTag, this.variable);
    new CfnOutput(this, 'Arn', {
      value: secret.secretArn,
      description: `aws secretsmanager put-secret-value --secret-id <value> --secret-string <${of}>`,
    }).overrideLogicalId(secretOutput(this.variable));
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The key belongs to another company’s service and can be rotated only there.',
    });
    return secret;
  }
}

/** Allows reading the value, and nothing else. */
export function allowReading(secret: ISecret, fn: VigilFunction): void {
  // Secrets Manager appends six characters to the name. An imported secret may be known without them.
  fn.allow([secret.secretFullArn ?? `${secret.secretArn}-??????`], 'secretsmanager:GetSecretValue');
  secret.encryptionKey?.grantDecrypt(fn);
}
