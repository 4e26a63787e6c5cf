import type { Template } from '../template/template';

/**
 * Maps the address of the WebSocket API's connections, which the template passes in a variable, to the AWS port, as a
 * DNS resolver would.
 */
export function localAddresses({ place, ofType }: Template, awsUrl: string): (value: string) => string {
  const own = new Set(
    ofType('AWS::ApiGatewayV2::Api')
      .filter(({ properties }) => properties.ProtocolType === 'WEBSOCKET')
      .map(({ ref }) => `${ref}.execute-api.${place.region}.amazonaws.com`),
  );
  return (value) => {
    const [, host = '', path = ''] = /^https:\/\/([^/]+)(\/.*)?$/.exec(value) ?? [];
    return own.has(host) ? awsUrl + path : value;
  };
}
