import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { sharedBy } from '../shared';
import { allowReading } from './api-key';
import type { VigilFunction } from './vigil-function';

export interface GeneratedKeyProps {
  /** Its name in `secrets`. Functions read `<name>_SECRET_ARN`. */
  name: string;
  description: string;
  /** The reason not to rotate it. */
  kept: string;
}

/** A key that the stack generates, or an earlier one that the app passes on (`secrets`). */
export class GeneratedKey extends Construct {
  /** For the functions that may read it. */
  readonly variables: Record<string, string>;
  private readonly secret: ISecret;

  constructor(scope: Construct, id: string, { name, description, kept }: GeneratedKeyProps) {
    super(scope, id);
    this.secret = sharedBy(this).secrets[name] ?? this.create(description, kept);
    this.variables = { [`${name}_SECRET_ARN`]: this.secret.secretArn };
  }

  grantRead(fn: VigilFunction): void {
    allowReading(this.secret, fn);
  }

  private create(description: string, kept: string): Secret {
    const secret = new Secret(this, 'Secret', {
      description,
      encryptionKey: sharedBy(this).encryptionKey,
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason: kept });
    return secret;
  }
}

/** Signs webhook addresses. Replacing it invalidates all open addresses. */
export const webhookKey = (scope: Construct): GeneratedKey =>
  new GeneratedKey(scope, 'WebhookKey', {
    name: 'WEBHOOK_KEY',
    description: 'Signs the addresses that tools give to outside systems',
    kept: 'A rotation would break the addresses that outside systems hold, some for months.',
  });
