import { serveMcp } from '../../../modules/mcp/serve-mcp';
import { mcp } from '../../../modules/mcp/server';
import pin from './guarded.mcp.json';

/** The reference server of MCP, behind a door that takes tokens of an authorization server. */
export const guarded = mcp('guarded', {
  url: { variable: 'GUARDED_URL' },
  auth: {
    oauth: { clientId: 'vigil', secret: 'GUARDED_SECRET', issuer: { variable: 'GUARDED_ISSUER' }, scope: 'tools' },
  },
  pin,
  allow: {
    echo: { effect: 'read', afterUntrusted: () => 'allow' },
    'trigger-elicitation-request': { effect: 'idempotent', elicitation: 'ask', afterUntrusted: () => 'allow' },
  },
});

export const handler = serveMcp(guarded);
