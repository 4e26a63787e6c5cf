import { Validations } from 'aws-cdk-lib';
import { type CfnSecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { VigilFunction } from './vigil-function';

export interface ApiKeyProps {
  /** The variable that holds the key on a laptop, and the last part of the secret's name. */
  variable: string;
  /** What the key is for, as in "The API key of the model’s server". */
  of: string;
}

/**
 * The API key of a third-party service. The stack creates the secret without a value, and the operator sets it. Until
 * then, functions report the key as missing; a generated value would look like a real one.
 */
export class ApiKey extends Construct {
  readonly name: string;
  readonly variable: string;
  readonly howToSet: string;
  readonly arn: string;

  constructor(scope: Construct, id: string, { variable, of }: ApiKeyProps) {
    super(scope, id);
    this.variable = variable;
    this.name = `vigil/${variable}`;
    this.howToSet = `aws secretsmanager put-secret-value --secret-id ${this.name} --secret-string <${of}>`;
    const secret = new Secret(this, 'Secret', { secretName: this.name, description: of });
    (secret.node.defaultChild as CfnSecret).generateSecretString = undefined;
    this.arn = secret.secretArn;
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The key belongs to another company’s service and can be rotated only there.',
    });
  }

  grantRead(fn: VigilFunction): void {
    fn.allow([this.arn], 'secretsmanager:GetSecretValue');
  }
}
