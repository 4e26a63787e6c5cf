import type { Auth } from '../../infra/page/users';
import { templateWith } from '../../test/support/clouds/template-with';
import { rights, type Template, text } from '../../test/support/template-rights';
import { type McpServerProps, mcpServer } from './construct';
import { mcpServerFrom } from './variables';

const callbackUrls = ['https://claude.ai/api/mcp/auth_callback', 'http://localhost:8976/callback'];
const issuer = 'https://login.example.com/tenant';
const others: Auth = { issuer, audience: ['vigil'], scopes: ['vigil/use'] };

const declared = (options: McpServerProps, auth?: Auth) => templateWith([mcpServer(options)], { auth });

let ofOwnPool: Template;
beforeAll(() => {
  ofOwnPool = declared({ callbackUrls });
});

const ofType = (type: string, { Resources }: Template) =>
  Object.values(Resources)
    .filter(({ Type }) => Type === type)
    .map(({ Properties }) => Properties);
const routesOf = (template: Template) => ofType('AWS::ApiGatewayV2::Route', template);

test('an app that does not list it has no trace of it (R176)', () => {
  expect(JSON.stringify(templateWith([]))).not.toMatch(/mcp/i);
});

test('the function has the rights of a user’s conversations, and clients a sign-in (R176)', () => {
  const { Mcp: mcp, Settle: settle, Relay: relay } = rights(ofOwnPool);
  const ofRows = settle!.filter((right) => right.startsWith('dynamodb:'));
  const ofMachines = relay!.filter((right) => right.startsWith('states:'));
  const read = 'dynamodb:GetItem on ConversationTable.Arn of U#*';
  const ofFiles = [
    ...['GetItem', 'PutItem', 'Query', 'UpdateItem'].map(
      (action) => `dynamodb:${action} on ConversationTable.Arn of F#*`,
    ),
    ...['s3:GetObject', 's3:PutObject'].map((action) => `${action} on FilesBucket.Arn/files/*`),
    's3:ListBucket on FilesBucket.Arn',
  ];
  expect(mcp!.filter((right) => !/^(logs|xray):/.test(right)).sort()).toEqual(
    [...ofRows, ...ofMachines, ...ofFiles, read].sort(),
  );
  expect(ofType('AWS::Cognito::UserPoolClient', ofOwnPool)).toContainEqual(
    expect.objectContaining({
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: [{ 'Fn::Join': ['', [expect.anything(), '/mcp']] }],
      CallbackURLs: callbackUrls,
    }),
  );
  expect(text(ofOwnPool.Outputs.McpUrl!.Value)).toMatch(/\/mcp$/);
});

test('its client’s scope opens /mcp and nothing else (R176)', () => {
  const routes = routesOf(ofOwnPool);
  const opened = routes.filter(({ AuthorizationScopes: scopes }) => ((scopes ?? []) as string[]).includes('vigil/mcp'));
  expect(opened.map(({ RouteKey }) => RouteKey).sort()).toEqual(['DELETE /mcp', 'GET /mcp', 'POST /mcp']);
  const unsigned = routes.filter(({ AuthorizationType: type }) => type === 'NONE').map(({ RouteKey }) => RouteKey);
  expect(unsigned.filter((key) => /mcp|well-known/.test(String(key))).sort()).toEqual([
    'GET /.well-known/oauth-authorization-server',
    'GET /.well-known/oauth-protected-resource',
    'GET /.well-known/oauth-protected-resource/mcp',
    'GET /mcp/authorize',
    'POST /mcp/register',
    'POST /mcp/revoke',
    'POST /mcp/token',
  ]);
});

test('each route that starts work or needs no token has a limit, which the stage sets when the route is there', () => {
  const [stage] = ofType('AWS::ApiGatewayV2::Stage', ofOwnPool).filter(({ RouteSettings }) => RouteSettings);
  const limited = Object.keys(stage!.RouteSettings as object).filter((key) => /mcp|well-known/.test(key));
  const unlimited = ['DELETE /mcp', 'GET /mcp'];
  const own = routesOf(ofOwnPool).flatMap(({ RouteKey }) =>
    /mcp|well-known/.test(String(RouteKey)) ? [RouteKey] : [],
  );
  expect([...limited, ...unlimited].sort()).toEqual(own.sort());
});

test('another issuer’s tokens need the scopes that are named for it (R176)', () => {
  const foreign = declared({ scopes: ['talk'] }, others);
  const [route] = routesOf(foreign).filter(({ RouteKey }) => RouteKey === 'POST /mcp');
  expect(route!.AuthorizationScopes).toEqual(['talk']);
  expect(ofType('AWS::ApiGatewayV2::Authorizer', foreign).map(({ JwtConfiguration }) => JwtConfiguration)).toEqual([
    { Issuer: issuer, Audience: ['vigil'] },
    { Issuer: issuer, Audience: ['vigil', { 'Fn::Join': ['', [expect.anything(), '/mcp']] }] },
  ]);
  expect(foreign.Resources.Mcp!.Properties.Environment).toMatchObject({
    Variables: { MCP_ISSUER: issuer, MCP_SCOPES: 'talk', MCP_CLIENT_ID: '', VIGIL_TOKEN_USE: 'any' },
  });
});

test.each<[string, object, Auth | undefined, string]>([
  [
    'a client’s address that is not encrypted',
    { callbackUrls: ['http://a.example/'] },
    undefined,
    'mcpServer.callbackUrls: "http://a.example/" must be an https address',
  ],
  ['an address that is none', { callbackUrls: ['a'] }, undefined, 'mcpServer.callbackUrls: "a" must be'],
  ['a misspelt option', { callbacks: [] }, undefined, 'mcpServer: callbacks: there is no such field'],
  ['a client of another issuer', { callbackUrls }, others, 'mcpServer.callbackUrls is for the stack’s own user pool'],
  ['scopes of the own user pool', { scopes: ['a'] }, undefined, 'mcpServer.scopes is for users of your own'],
  [
    'an issuer whose tokens have no scopes of the API',
    { scopes: ['a'] },
    { issuer, audience: ['vigil'] },
    'mcpServer.scopes: name scopes for MCP clients',
  ],
  ['an issuer without a scope for clients', {}, others, 'mcpServer.scopes: name scopes for MCP'],
])('a mistake names the option: %s (R176, R193)', (_, options, auth, problem) => {
  expect(() => declared(options, auth)).toThrow(problem);
  expect(() => declared(options, auth)).toThrow(/^[^\n]*$/);
});

test('a variable of this repository’s app lists the module, or is refused by its name (R154, R176)', () => {
  for (const [variables, names] of [
    [{}, []],
    [{ VIGIL_MCP: 'off' }, []],
    [{ VIGIL_MCP: 'on' }, ['mcp-server']],
    [{ VIGIL_MCP: callbackUrls.join(', ') }, ['mcp-server']],
  ] as const)
    expect(mcpServerFrom(variables).map(({ name }) => name)).toEqual(names);
  expect(() => mcpServerFrom({ VIGIL_MCP: 'yes' })).toThrow(
    'VIGIL_MCP is "yes": it must be "on", "off" or the addresses of clients.',
  );
});
