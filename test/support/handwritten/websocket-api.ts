/**
 * For tests: a WebSocket API in front of a function, as the CDK would synthesize it. `responding` routes return the
 * function's response.
 */
export function websocketApiResources(
  lambda: string,
  routeKeys: readonly string[],
  responding: readonly string[] = [],
): Record<string, object> {
  const ApiId = { Ref: 'Socket' };
  const Target = { 'Fn::Join': ['', ['integrations/', { Ref: 'SocketIntegration' }]] };
  const routes = routeKeys.map((RouteKey, index) => {
    const RouteResponseSelectionExpression = responding.includes(RouteKey) ? '$default' : undefined;
    const Properties = { ApiId, RouteKey, Target, AuthorizationType: 'NONE', RouteResponseSelectionExpression };
    return [`SocketRoute${index}`, { Type: 'AWS::ApiGatewayV2::Route', Properties }];
  });
  const responses = responding.map((routeKey, index) => {
    const RouteId = { Ref: `SocketRoute${routeKeys.indexOf(routeKey)}` };
    const Properties = { ApiId, RouteId, RouteResponseKey: '$default' };
    return [`SocketResponse${index}`, { Type: 'AWS::ApiGatewayV2::RouteResponse', Properties }];
  });
  return {
    Socket: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { Name: 'Socket', ProtocolType: 'WEBSOCKET', RouteSelectionExpression: '$request.body.action' },
    },
    SocketStage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { ApiId, StageName: 'live', AutoDeploy: true } },
    SocketIntegration: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        ApiId,
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: {
          'Fn::Sub': `arn:aws:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/\${${lambda}.Arn}/invocations`,
        },
      },
    },
    SocketPermission: {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunction',
        FunctionName: { 'Fn::GetAtt': [lambda, 'Arn'] },
        Principal: 'apigateway.amazonaws.com',
        SourceArn: { 'Fn::Sub': 'arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${Socket}/*' },
      },
    },
    ...Object.fromEntries([...routes, ...responses]),
  };
}
