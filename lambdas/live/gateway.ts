import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { variable } from '../../runtime/environment';
import type { Connections } from './push';

/** Returns the open connections of the live view at API Gateway. */
export function connectionsOfGateway(): Connections {
  const gateway = new ApiGatewayManagementApiClient({ endpoint: variable('LIVE_CONNECTIONS_URL'), maxAttempts: 2 });
  return {
    async post(ConnectionId, Data, abortSignal) {
      await gateway.send(new PostToConnectionCommand({ ConnectionId, Data }), { abortSignal });
    },
    async close(ConnectionId, abortSignal) {
      await gateway.send(new DeleteConnectionCommand({ ConnectionId }), { abortSignal });
    },
  };
}
