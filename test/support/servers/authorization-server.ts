import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';

/** An authorization server for one client, which gets tokens by the grant `client_credentials`. Tokens are signed JWTs. */
export interface AuthorizationServer {
  issuer: string;
  client: { id: string; secret: string };
  /** The scopes that the client may ask for. */
  scopes: string[];
  lifeSeconds: number;
  /** What clients have asked for at its token endpoint. */
  requests: Record<string, string>[];
  /** Takes a request before the protocol does. */
  intercept(request: IncomingMessage, response: ServerResponse): boolean;
  /** Returns whether a request has a token of it for this resource, which has neither expired nor been revoked. */
  accepts(request: IncomingMessage, resource: string): Promise<boolean>;
  /** Ends all tokens that it has given. */
  revoke(): void;
  stop(): Promise<void>;
}

export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  let given = 0;
  let revoked = 0;
  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  async function giveToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked = Object.fromEntries(new URLSearchParams(body));
    own.requests.push(asked);
    const { id, secret } = own.client;
    if (request.headers.authorization !== `Basic ${btoa(`${id}:${secret}`)}`)
      return void json(response, 401, { error: 'invalid_client', error_description: 'secret words' });
    if (asked.grant_type !== 'client_credentials') return void json(response, 400, { error: 'unsupported_grant_type' });
    if (asked.scope?.split(' ').some((one) => !own.scopes.includes(one)))
      return void json(response, 400, { error: 'invalid_scope', error_description: 'secret words' });
    const token = await new SignJWT({ scope: asked.scope })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(own.issuer)
      .setAudience(asked.resource ?? 'no one')
      .setJti(`${++given}`)
      .setExpirationTime(Math.floor(Date.now() / 1_000) + own.lifeSeconds)
      .sign(privateKey);
    json(response, 200, { access_token: token, token_type: 'Bearer', expires_in: own.lifeSeconds });
  }

  const http = createServer((request, response) => {
    if (own.intercept(request, response)) return;
    if (request.url === '/.well-known/oauth-authorization-server')
      return void json(response, 200, {
        issuer: own.issuer,
        authorization_endpoint: `${own.issuer}/authorize`,
        token_endpoint: `${own.issuer}/token`,
        jwks_uri: `${own.issuer}/jwks`,
        response_types_supported: ['code'],
        grant_types_supported: ['client_credentials'],
      });
    if (request.url === '/jwks') return void exportJWK(publicKey).then((key) => json(response, 200, { keys: [key] }));
    if (request.method === 'POST' && request.url === '/token') return void giveToken(request, response);
    json(response, 404, {});
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const own: AuthorizationServer = {
    issuer: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    client: { id: 'vigil', secret: 'the-secret' },
    scopes: ['tools'],
    lifeSeconds: 3_600,
    requests: [],
    intercept: () => false,
    async accepts({ headers }, resource) {
      const [, token = ''] = headers.authorization?.split(' ') ?? [];
      const options = { issuer: own.issuer, audience: resource };
      const verified = await jwtVerify(token, publicKey, options).catch(() => undefined);
      return verified !== undefined && Number(verified.payload.jti) > revoked;
    },
    revoke() {
      revoked = given;
    },
    stop() {
      http.closeAllConnections();
      return new Promise((resolve) => http.close(() => resolve()));
    },
  };
  return own;
}
