import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { AccountRecovery, Mfa, UserPool, UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';

/** Who may sign in. A token's `sub` is the owner of the conversations that it starts. */
export class UserDirectory extends Construct {
  readonly poolId: string;
  readonly clientId: string;
  /** As tokens name it, and where their keys are published. */
  readonly issuer: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const pool = new UserPool(this, 'Pool', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      passwordPolicy: {
        minLength: 12,
        requireDigits: true,
        requireLowercase: true,
        requireUppercase: true,
        requireSymbols: true,
      },
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const client = new UserPoolClient(this, 'Client', {
      userPool: pool,
      authFlows: { userSrp: true },
      // No page signs in by redirect. CDK would otherwise allow the implicit flow, to example.com.
      disableOAuth: true,
      generateSecret: false,
      preventUserExistenceErrors: true,
      accessTokenValidity: Duration.hours(1),
      idTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.days(30),
    });
    this.poolId = pool.userPoolId;
    this.clientId = client.userPoolClientId;
    this.issuer = `https://cognito-idp.${Stack.of(this).region}.amazonaws.com/${this.poolId}`;
    Validations.of(pool).acknowledge(
      { id: 'AwsSolutions-COG2', reason: 'A second factor is offered; whether to demand it is the operator’s choice.' },
      {
        id: 'AwsSolutions-COG8',
        reason: 'Threat protection comes with Cognito’s Plus plan, which costs by the user: the operator’s choice.',
      },
    );
  }
}
