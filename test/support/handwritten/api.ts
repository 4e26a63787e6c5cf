/** For tests: an HTTP API in front of a function, as the CDK would synthesize it. */
export function apiResources(lambda: string, routeKeys: Record<string, object>, cors?: object): Record<string, object> {
  const ApiId = { Ref: 'HttpApi' };
  const routes = Object.entries(routeKeys).map(([RouteKey, more], index) => {
    const Target = { 'Fn::Join': ['', ['integrations/', { Ref: 'Integration' }]] };
    return [`Route${index}`, { Type: 'AWS::ApiGatewayV2::Route', Properties: { ApiId, RouteKey, Target, ...more } }];
  });
  return {
    HttpApi: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: { Name: 'Api', ProtocolType: 'HTTP', CorsConfiguration: cors },
    },
    Stage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { ApiId, StageName: '$default', AutoDeploy: true } },
    Integration: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        ApiId,
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: { 'Fn::GetAtt': [lambda, 'Arn'] },
        PayloadFormatVersion: '2.0',
      },
    },
    ApiPermission: {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunction',
        FunctionName: { 'Fn::GetAtt': [lambda, 'Arn'] },
        Principal: 'apigateway.amazonaws.com',
        SourceArn: { 'Fn::Sub': 'arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${HttpApi}/*/*' },
      },
    },
    ...Object.fromEntries(routes),
  };
}

/** A user pool, its client, and the authorizer of the API above. Use `signedIn` on a route. */
export const userResources: Record<string, object> = {
  Pool: { Type: 'AWS::Cognito::UserPool', Properties: {} },
  Client: {
    Type: 'AWS::Cognito::UserPoolClient',
    Properties: {
      UserPoolId: { Ref: 'Pool' },
      AccessTokenValidity: 20,
      TokenValidityUnits: { AccessToken: 'minutes' },
    },
  },
  Authorizer: {
    Type: 'AWS::ApiGatewayV2::Authorizer',
    Properties: {
      ApiId: { Ref: 'HttpApi' },
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.header.Authorization'],
      JwtConfiguration: {
        Audience: [{ Ref: 'Client' }],
        Issuer: { 'Fn::Sub': 'https://cognito-idp.${AWS::Region}.amazonaws.com/${Pool}' },
      },
      Name: 'SignedIn',
    },
  },
};

export const signedIn = { AuthorizationType: 'JWT', AuthorizerId: { Ref: 'Authorizer' } };
