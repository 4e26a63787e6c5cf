import { Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { VigilFunction } from './vigil-function';

/**
 * The model's API key. The stack makes the secret with a random value; its owner puts the key in, once. The last part of
 * the name is the variable that holds the key on a laptop.
 */
export class ModelKey extends Construct {
  readonly name = 'vigil/OPENAI_API_KEY';
  readonly howToSet =
    `aws secretsmanager put-secret-value --secret-id ${this.name} --secret-string <the model's API key>`;
  readonly arn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const secret = new Secret(this, 'Secret', {
      secretName: this.name,
      description: 'The API key of the model’s server',
    });
    this.arn = secret.secretArn;
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The key is another company’s: only its owner can rotate it, there.',
    });
  }

  grantRead(fn: VigilFunction): void {
    fn.allow([this.arn], 'secretsmanager:GetSecretValue');
  }
}
