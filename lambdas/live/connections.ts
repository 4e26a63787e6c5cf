import type { APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { tableOfDeployment } from '../../runtime/environment';
import { logged } from '../../runtime/log';
import { type ConnectEvent, connect } from './connect';
import { disconnect } from './disconnect';
import { connectionsOfGateway } from './gateway';
import { answer, type Socket } from './subscribe';

const socket: Socket = {
  table: tableOfDeployment(),
  live: tableOfDeployment('LIVE_TABLE_NAME'),
  connections: connectionsOfGateway(),
};

/** Connections: opens and closes the connections of the live view, and answers the messages of its clients. */
export const handler = logged(async (event: APIGatewayProxyWebsocketEventV2) => {
  const now = new Date();
  const { routeKey } = event.requestContext;
  if (routeKey === '$connect') return connect(socket, event as ConnectEvent, now);
  return routeKey === '$disconnect' ? disconnect(socket, event, now) : answer(socket, event, now);
});
