import { Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { VigilFunction } from './vigil-function';

/**
 * The secret from which the keys at push services derive (`runtime/push-keys.ts`). The stack generates it. Replacing it invalidates all
 * subscriptions, and each browser subscribes again when its page opens.
 */
export class PushKey extends Construct {
  /** For the functions that may read it. */
  readonly variables: Record<string, string>;
  private readonly arn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const secret = new Secret(this, 'Secret', {
      description: 'Signs notifications for push services',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    this.arn = secret.secretArn;
    this.variables = { PUSH_KEY_SECRET_ARN: this.arn };
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'A rotation would end the subscriptions of all browsers.',
    });
  }

  grantRead(fn: VigilFunction): void {
    fn.allow([this.arn], 'secretsmanager:GetSecretValue');
  }
}
