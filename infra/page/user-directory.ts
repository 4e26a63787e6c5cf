import { Aws, Duration, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccountRecovery,
  type CfnUserPool,
  FeaturePlan,
  Mfa,
  OAuthScope,
  ResourceServerScope,
  UserPool,
  UserPoolClient,
  UserPoolClientIdentityProvider,
  type UserPoolResourceServer,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { byProtection } from '../protection';
import { sharedBy } from '../shared';
import type { AddedClient, NewClient, PageSignIn, Users } from './users';

/** The users who may sign in. The `sub` of a token is the owner of the conversations that it starts. */
export class UserDirectory extends Construct implements Users {
  readonly poolId: string;
  readonly clientId: string;
  /** The ids of all clients. */
  readonly audience: string[];
  readonly issuer: string;
  readonly tokenUse = 'access';
  /**
   * The scopes of which the API requires one. An ID token has none.
   *
   * - `vigil/api` is for clients that sign in by redirect. The page requests it.
   * - Cognito gives a token of a sign-in through its own API, as by SRP, no scope but `aws.cognito.signin.user.admin`.
   */
  readonly scopes = [`${apiScope.server}/${apiScope.name}`, OAuthScope.COGNITO_ADMIN.scopeName];
  private signInPages?: string;
  private readonly pool: UserPool;
  private readonly resourceServer: UserPoolResourceServer;

  /** @param machines whether other backends may act for users; `scopes`: those of the clients that are added. */
  constructor(
    scope: Construct,
    id: string,
    { machines, scopes }: { machines: boolean; scopes: readonly ResourceServerScope[] },
  ) {
    super(scope, id);
    const pool = new UserPool(this, 'Pool', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      // Refresh tokens that rotate need it, and an account's own default may be less.
      featurePlan: FeaturePlan.ESSENTIALS,
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
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const resource = pool.node.defaultChild as CfnUserPool;
    resource.addPropertyOverride(
      'DeletionProtection',
      byProtection(sharedBy(this).deletionProtection, 'ACTIVE', 'INACTIVE'),
    );
    this.resourceServer = pool.addResourceServer('Api', {
      identifier: apiScope.server,
      scopes: [useApi, ...(machines ? [actForUsers] : []), ...scopes],
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
    this.audience = [this.clientId];
    this.issuer = pool.userPoolProviderUrl;
    Validations.of(pool).acknowledge(
      { id: 'AwsSolutions-COG2', reason: 'A second factor is optional; requiring it is the operator’s choice.' },
      {
        id: 'AwsSolutions-COG8',
        reason:
          'Threat protection needs Cognito’s Plus plan, which is billed per user: an operator who wants it overrides UserPoolTier in their app.',
      },
    );
  }

  forPage(): PageSignIn {
    const { domain, issuer } = this;
    return {
      origins: [domain],
      configOf: (origin) => ({ mode: 'cognito', issuer, clientId: this.addPage(origin), domain }),
    };
  }

  /**
   * Adds a client for another backend, which acts for users: with a secret, by the client credentials flow.
   *
   * @returns the client id, and where it gets its tokens.
   */
  addMachine(): { clientId: string; tokenUrl: string } {
    const machine = new UserPoolClient(this, 'Machine', {
      userPool: this.pool,
      authFlows: { custom: true },
      oAuth: {
        flows: { clientCredentials: true },
        scopes: [OAuthScope.resourceServer(this.resourceServer, actForUsers)],
      },
      ...everyClient,
      generateSecret: true,
    });
    this.audience.push(machine.userPoolClientId);
    this.scopes.push(`${apiScope.server}/${actForUsers.scopeName}`);
    return { clientId: machine.userPoolClientId, tokenUrl: `${this.domain}/oauth2/token` };
  }

  addClient(id: string, { scope, callbackUrls }: NewClient): AddedClient {
    const client = new UserPoolClient(this, id, {
      userPool: this.pool,
      authFlows: { custom: true },
      oAuth: {
        flows: { authorizationCodeGrant: true, implicitCodeGrant: false },
        scopes: [OAuthScope.resourceServer(this.resourceServer, scope)],
        callbackUrls,
      },
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      ...everyClient,
    });
    return {
      clientId: client.userPoolClientId,
      scope: `${apiScope.server}/${scope.scopeName}`,
      signInUrl: this.domain,
    };
  }

  /** Opens the sign-in pages. Their name must be unique in the region, so it is derived from the stack's id. */
  private get domain(): string {
    if (this.signInPages) return this.signInPages;
    const stackUuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
    const domainPrefix = `vigil-${Fn.select(0, Fn.split('-', stackUuid))}`;
    this.signInPages = this.pool.addDomain('SignInPages', { cognitoDomain: { domainPrefix } }).baseUrl();
    return this.signInPages;
  }

  /** The client has no secret, so it uses PKCE. */
  private addPage(origin: string): string {
    const back = [`${origin}/`];
    const page = new UserPoolClient(this, 'Page', {
      userPool: this.pool,
      // Passwords are entered only on Cognito's own pages. Without any flow, Cognito would allow its defaults: SRP, and
      // refreshing without rotation, which it rejects beside rotation. A custom flow needs triggers, and there are none.
      authFlows: { custom: true },
      oAuth: {
        flows: { authorizationCodeGrant: true, implicitCodeGrant: false },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.resourceServer(this.resourceServer, useApi)],
        callbackUrls: back,
        logoutUrls: back,
      },
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      ...everyClient,
    });
    this.audience.push(page.userPoolClientId);
    return page.userPoolClientId;
  }
}

/** The API as a resource server, and its scope. The page's sign-in names both. */
const apiScope = { server: 'vigil', name: 'api' };
const useApi = new ResourceServerScope({ scopeName: apiScope.name, scopeDescription: 'Use the API as this user' });

const actForUsers = new ResourceServerScope({
  scopeName: 'act-for-users',
  scopeDescription: 'Start conversations on behalf of any user',
});

const everyClient = {
  generateSecret: false,
  preventUserExistenceErrors: true,
  // API Gateway does not ask Cognito whether a token was revoked, so a stolen one is valid until it expires.
  accessTokenValidity: Duration.minutes(15),
  idTokenValidity: Duration.minutes(15),
  refreshTokenValidity: Duration.days(30),
  enableTokenRevocation: true,
  // Each refresh replaces the refresh token. The old one works a little longer, because the answer may be lost.
  refreshTokenRotationGracePeriod: Duration.seconds(60),
};
