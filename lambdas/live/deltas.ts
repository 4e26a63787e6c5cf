import { ApiGatewayManagementApiClient, PostToConnectionCommand } from '@aws-sdk/client-apigatewaymanagementapi';
import type { Deltas } from '../../core/machines/step/screen';
import { deltasTo } from '../../core/people/live/deltas';
import { optionalVariable, tableOfDeployment } from '../../runtime/environment';
import { log } from '../../runtime/log';

/** Returns what sends the words of replies to those who watch; undefined in a deployment that sends none. */
export function deployedDeltas(): Deltas | undefined {
  const endpoint = optionalVariable('LIVE_CONNECTIONS_URL');
  if (!endpoint) return undefined;
  // What is late is of no use: the row will have it.
  const gateway = new ApiGatewayManagementApiClient({ endpoint, maxAttempts: 1 });
  return deltasTo({
    table: tableOfDeployment(),
    live: tableOfDeployment('LIVE_TABLE_NAME'),
    now: () => new Date(),
    async post(ConnectionId, Data, abortSignal) {
      await gateway.send(new PostToConnectionCommand({ ConnectionId, Data }), { abortSignal });
    },
    failed: ({ name }, connectionId) => log.warn('words of a reply were not sent', { connectionId, error: name }),
  });
}
