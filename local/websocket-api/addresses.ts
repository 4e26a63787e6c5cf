import type { Template } from '../template/template';

/**
 * On AWS a function reaches the connections API of the template's WebSocket API by a name in the DNS, which the template hands
 * it in a variable. Such an address is turned into that of the AWS port here, as a resolver would.
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
