import { serveMcp } from '../../../modules/mcp/serve-mcp';
import { mcp } from '../../../modules/mcp/server';
import pin from './everything.mcp.json';

/** The reference server of MCP. */
export const everything = mcp('everything', {
  url: { variable: 'EVERYTHING_URL' },
  pin,
  allow: {
    'get-sum': { effect: 'annotated', approval: { when: ({ a }) => Number(a) > 100, prompt: 'Add these numbers?' } },
    'get-structured-content': { effect: 'read', afterUntrusted: () => 'allow' },
    'get-tiny-image': { effect: 'read', afterUntrusted: () => 'allow' },
    'trigger-long-running-operation': { timeoutSeconds: 5 },
  },
});

export const handler = serveMcp(everything);
