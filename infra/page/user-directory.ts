import { Aws, Duration, Fn, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  Mfa,
  OAuthScope,
  UserPool,
  UserPoolClient,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';

/** Who may sign in. A token's `sub` is the owner of the conversations that it starts. */
export class UserDirectory extends Construct {
  readonly poolId: string;
  readonly clientId: string;
  /** Of all clients: the API takes the tokens of each. */
  readonly clientIds: string[];
  /** As tokens name it, and where their keys are published. */
  readonly issuer: string;
  private readonly pool: UserPool;

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
      // Not by redirect. CDK would otherwise allow the implicit flow, to example.com.
      disableOAuth: true,
      ...everyClient,
    });
    this.pool = pool;
    this.poolId = pool.userPoolId;
    this.clientId = client.userPoolClientId;
    this.clientIds = [this.clientId];
    this.issuer = `https://cognito-idp.${Stack.of(this).region}.amazonaws.com/${this.poolId}`;
    Validations.of(pool).acknowledge(
      { id: 'AwsSolutions-COG2', reason: 'A second factor is offered; whether to demand it is the operator’s choice.' },
      {
        id: 'AwsSolutions-COG8',
        reason: 'Threat protection comes with Cognito’s Plus plan, which costs by the user: the operator’s choice.',
      },
    );
  }

  /** @returns where people sign in. The name must be one of its own in the region, so it is made of the stack's id. */
  openSignInPages(): string {
    const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
    const domainPrefix = `vigil-${Fn.select(0, Fn.split('-', stackUuid))}`;
    return this.pool.addDomain('SignInPages', { cognitoDomain: { domainPrefix } }).baseUrl();
  }

  /**
   * A page that signs in by redirect: with a code, never with a token in the address. It has no secret, so it shows by PKCE that
   * the code is its own.
   *
   * @returns its client id.
   */
  addPage(origin: string): string {
    const back = [`${origin}/`];
    const page = new UserPoolClient(this, 'Page', {
      userPool: this.pool,
      // Nobody sends a password to anything but Cognito's own pages.
      authFlows: { user: false },
      oAuth: {
        flows: { authorizationCodeGrant: true, implicitCodeGrant: false },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
        callbackUrls: back,
        logoutUrls: back,
      },
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      ...everyClient,
    });
    this.clientIds.push(page.userPoolClientId);
    return page.userPoolClientId;
  }
}

const everyClient = {
  generateSecret: false,
  preventUserExistenceErrors: true,
  accessTokenValidity: Duration.hours(1),
  idTokenValidity: Duration.hours(1),
  refreshTokenValidity: Duration.days(30),
};
