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

/** The users who may sign in. The `sub` of a token is the owner of the conversations that it starts. */
export class UserDirectory extends Construct {
  readonly poolId: string;
  readonly clientId: string;
  /** The ids of all clients. The API accepts the tokens of each. */
  readonly clientIds: string[];
  /** The issuer that tokens name, and where its public keys are. */
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
      // No sign-in by redirect: CDK would otherwise allow the implicit flow, to example.com.
      disableOAuth: true,
      ...everyClient,
    });
    this.pool = pool;
    this.poolId = pool.userPoolId;
    this.clientId = client.userPoolClientId;
    this.clientIds = [this.clientId];
    this.issuer = `https://cognito-idp.${Stack.of(this).region}.amazonaws.com/${this.poolId}`;
    Validations.of(pool).acknowledge(
      { id: 'AwsSolutions-COG2', reason: 'A second factor is optional; requiring it is the operator’s choice.' },
      {
        id: 'AwsSolutions-COG8',
        reason: 'Threat protection needs Cognito’s Plus plan, which is billed per user: the operator’s choice.',
      },
    );
  }

  /**
   * @returns the address of the sign-in pages. Their name must be unique in the region, so it is derived from the
   *   stack's id.
   */
  openSignInPages(): string {
    const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
    const domainPrefix = `vigil-${Fn.select(0, Fn.split('-', stackUuid))}`;
    return this.pool.addDomain('SignInPages', { cognitoDomain: { domainPrefix } }).baseUrl();
  }

  /**
   * Adds a client for a page that signs in by redirect: with a code, never with a token in the address. It has no
   * secret, so it uses PKCE.
   *
   * @returns the client id.
   */
  addPage(origin: string): string {
    const back = [`${origin}/`];
    const page = new UserPoolClient(this, 'Page', {
      userPool: this.pool,
      // Passwords are entered only on Cognito's own pages.
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
