import { Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { VigilFunction } from './vigil-function';

/** The key that signs webhook addresses. The stack generates it. Replacing it invalidates all open addresses. */
export class WebhookKey extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const secret = new Secret(this, 'Secret', {
      description: 'Signs the addresses that tools give to outside systems',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    this.arn = secret.secretArn;
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'A rotation would break the addresses that outside systems hold, some for months.',
    });
  }

  grantRead(fn: VigilFunction): void {
    fn.allow([this.arn], 'secretsmanager:GetSecretValue');
  }
}
