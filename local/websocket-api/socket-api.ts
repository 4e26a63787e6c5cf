import type { Template } from '../template/template';
import { type RouteTable, routesOf } from './routes';

/** The template's WebSocket API, at its stage's path on the app's port. There is at most one. */
export interface SocketApi {
  apiId: string;
  stage: string;
  /** The prefix of the connections' ARNs: `arn:aws:execute-api:<region>:<account>:<api>/<stage>`. */
  arn: string;
  routes: RouteTable;
}

export function socketApiOf(template: Template): SocketApi | undefined {
  const apis = template
    .ofType('AWS::ApiGatewayV2::Api')
    .filter(({ properties }) => properties.ProtocolType === 'WEBSOCKET');
  const [api] = apis;
  if (apis.length > 1) throw new Error('The local cloud serves one WebSocket API; the template has more.');
  if (!api) return undefined;
  const stage = template.ofType('AWS::ApiGatewayV2::Stage').find(({ properties }) => properties.ApiId === api.ref)?.ref;
  if (!stage) throw new Error(`The WebSocket API ${api.logicalId} has no stage.`);
  const { accountId, region } = template.place;
  const arn = `arn:aws:execute-api:${region}:${accountId}:${api.ref}/${stage}`;
  return { apiId: api.ref, stage, arn, routes: routesOf(api, template) };
}
