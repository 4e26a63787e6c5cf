import { SFNClient } from '@aws-sdk/client-sfn';
import { handle } from 'hono/aws-lambda';
import { shipped } from '../../../agents';
import { fileLimits } from '../../../core/base/state/user-limits';
import { withByteHeaders } from '../../../lambdas/api/incoming';
import { keptClaims } from '../../../lambdas/api/kept-claims';
import { actingAtOnce } from '../../../lambdas/todos';
import { optionalVariable, tableOfDeployment, variable } from '../../../runtime/environment';
import { filesOfDeployment } from '../../../runtime/file-store';
import { counts } from '../../../runtime/limits';
import { logged } from '../../../runtime/log';
import { mcpApp } from '../app';

const { table, carryOut } = actingAtOnce({ client: new SFNClient({}), table: tableOfDeployment(), registry: shipped });
const clientId = optionalVariable('MCP_CLIENT_ID');
const listed = (name: string): string[] => optionalVariable(name)?.split(',') ?? [];

const serve = handle(
  mcpApp({
    table,
    registry: shipped,
    carryOut,
    counts,
    files: filesOfDeployment(),
    fileLimits: () => fileLimits,
    // API Gateway waits 30 seconds, and the function has 29.
    waitMs: 20_000,
    page: optionalVariable('VIGIL_PAGE_URL'),
    discovery: {
      url: variable('API_URL'),
      issuer: variable('MCP_ISSUER'),
      scopes: listed('MCP_SCOPES'),
      client: clientId
        ? { id: clientId, signInUrl: variable('MCP_SIGN_IN_BASE_URL'), callbackUrls: listed('MCP_CALLBACK_URLS') }
        : undefined,
    },
    keptClaims: keptClaims(),
    tokenUse: optionalVariable('VIGIL_TOKEN_USE'),
    webOrigins: listed('VIGIL_WEB_ORIGINS'),
  }),
);

export const handler = logged<Parameters<typeof serve>[0], Awaited<ReturnType<typeof serve>>>((event, context) =>
  serve(withByteHeaders(event), context),
);
