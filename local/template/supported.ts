/**
 * What of a template the local cloud understands: one row a resource type, property names as CloudFormation spells them.
 *
 * `honoured` changes what happens here. `ignored` is known and makes no difference on one machine (encryption at rest,
 * retention, tags). Whatever is in neither list stops the start with its name: a property that silently does nothing
 * here and something on AWS is a bug found after the deploy.
 */
export interface Supported {
  honoured: readonly string[];
  ignored?: readonly string[];
}

export const supportedResources: Readonly<Record<string, Supported>> = {
  'AWS::DynamoDB::Table': {
    honoured: [
      'TableName',
      'KeySchema',
      'AttributeDefinitions',
      'BillingMode',
      'GlobalSecondaryIndexes',
      'LocalSecondaryIndexes',
      'StreamSpecification',
      'TimeToLiveSpecification',
    ],
    ignored: [
      'ContributorInsightsSpecification',
      'DeletionProtectionEnabled',
      'OnDemandThroughput',
      'PointInTimeRecoverySpecification',
      'SSESpecification',
      'TableClass',
      'Tags',
    ],
  },
  'AWS::Lambda::Function': {
    honoured: [
      'Code',
      'Environment',
      'FunctionName',
      'Handler',
      'MemorySize',
      'ReservedConcurrentExecutions',
      'Role',
      'Runtime',
      'Timeout',
    ],
    ignored: [
      'Architectures',
      'Description',
      'EphemeralStorage',
      'KmsKeyArn',
      'LoggingConfig',
      'Tags',
      'TracingConfig',
    ],
  },
  'AWS::Lambda::Permission': {
    honoured: ['Action', 'FunctionName', 'Principal', 'SourceArn'],
    ignored: ['SourceAccount'],
  },
  // How often and how long is Lambda's default here: with another number a start would promise what it does not do.
  'AWS::Lambda::EventInvokeConfig': { honoured: ['DestinationConfig', 'FunctionName', 'Qualifier'] },
  'AWS::Lambda::EventSourceMapping': {
    honoured: [
      'BatchSize',
      'BisectBatchOnFunctionError',
      'DestinationConfig',
      'Enabled',
      'EventSourceArn',
      'FilterCriteria',
      'FunctionName',
      'FunctionResponseTypes',
      'MaximumRecordAgeInSeconds',
      'MaximumRetryAttempts',
      'StartingPosition',
    ],
    // A window gathers larger batches to save invocations; one poller keeps the order for every factor of parallelism.
    ignored: ['MaximumBatchingWindowInSeconds', 'ParallelizationFactor', 'Tags'],
  },
  'AWS::StepFunctions::StateMachine': {
    honoured: ['DefinitionString', 'DefinitionSubstitutions', 'RoleArn', 'StateMachineName', 'StateMachineType'],
    ignored: ['EncryptionConfiguration', 'LoggingConfiguration', 'Tags', 'TracingConfiguration'],
  },
  'AWS::IAM::Role': {
    honoured: ['AssumeRolePolicyDocument', 'ManagedPolicyArns', 'Policies', 'RoleName'],
    ignored: ['Description', 'MaxSessionDuration', 'Path', 'Tags'],
  },
  'AWS::IAM::Policy': { honoured: ['PolicyDocument', 'PolicyName', 'Roles'] },
  'AWS::IAM::ManagedPolicy': {
    honoured: ['ManagedPolicyName', 'PolicyDocument', 'Roles'],
    ignored: ['Description', 'Path'],
  },
  'AWS::Logs::LogGroup': {
    honoured: ['LogGroupName'],
    ignored: ['KmsKeyId', 'LogGroupClass', 'RetentionInDays', 'Tags'],
  },
  'AWS::Logs::ResourcePolicy': { honoured: ['PolicyName'], ignored: ['PolicyDocument'] },
  'AWS::ApiGatewayV2::Api': {
    honoured: ['CorsConfiguration', 'Name', 'ProtocolType', 'RouteSelectionExpression'],
    ignored: ['Description', 'DisableExecuteApiEndpoint', 'Tags'],
  },
  'AWS::ApiGatewayV2::Stage': {
    honoured: ['ApiId', 'StageName'],
    // `AutoDeploy` has no meaning where a deployment is a start; throttling is for many users.
    ignored: ['AccessLogSettings', 'AutoDeploy', 'DefaultRouteSettings', 'Description', 'RouteSettings', 'Tags'],
  },
  'AWS::ApiGatewayV2::Integration': {
    honoured: ['ApiId', 'IntegrationType', 'IntegrationUri', 'PayloadFormatVersion', 'TimeoutInMillis'],
    ignored: ['Description', 'IntegrationMethod'],
  },
  'AWS::ApiGatewayV2::Route': {
    honoured: [
      'ApiId',
      'AuthorizationScopes',
      'AuthorizationType',
      'AuthorizerId',
      'RouteKey',
      'RouteResponseSelectionExpression',
      'Target',
    ],
    ignored: ['OperationName'],
  },
  'AWS::ApiGatewayV2::RouteResponse': { honoured: ['ApiId', 'RouteId', 'RouteResponseKey'] },
  // Whom API Gateway writes logs as: here it writes none.
  'AWS::ApiGateway::Account': { honoured: [], ignored: ['CloudWatchRoleArn'] },
  'AWS::ApiGatewayV2::Authorizer': {
    honoured: ['ApiId', 'AuthorizerType', 'IdentitySource', 'JwtConfiguration', 'Name'],
  },
  'AWS::Cognito::UserPool': {
    // Who may sign up, and how, is Cognito's own page: the local issuer signs for whoever is named.
    honoured: ['UserPoolName'],
    ignored: [
      'AccountRecoverySetting',
      'AdminCreateUserConfig',
      'AliasAttributes',
      'AutoVerifiedAttributes',
      'DeletionProtection',
      'EmailVerificationMessage',
      'EmailVerificationSubject',
      'EnabledMfas',
      'MfaConfiguration',
      'Policies',
      'Schema',
      'SmsVerificationMessage',
      'UserAttributeUpdateSettings',
      'UserPoolAddOns',
      'UserPoolTags',
      'UserPoolTier',
      'UsernameAttributes',
      'UsernameConfiguration',
      'VerificationMessageTemplate',
    ],
  },
  'AWS::Cognito::UserPoolClient': {
    honoured: ['ClientName', 'UserPoolId'],
    ignored: [
      'AccessTokenValidity',
      'AllowedOAuthFlows',
      'AllowedOAuthFlowsUserPoolClient',
      'AllowedOAuthScopes',
      'AuthSessionValidity',
      'CallbackURLs',
      'DefaultRedirectURI',
      'EnableTokenRevocation',
      'ExplicitAuthFlows',
      'GenerateSecret',
      'IdTokenValidity',
      'LogoutURLs',
      'PreventUserExistenceErrors',
      'ReadAttributes',
      'RefreshTokenValidity',
      'SupportedIdentityProviders',
      'TokenValidityUnits',
      'WriteAttributes',
    ],
  },
  'AWS::Cognito::UserPoolDomain': { honoured: ['Domain', 'UserPoolId'], ignored: ['ManagedLoginVersion'] },
  'AWS::SecretsManager::Secret': {
    honoured: ['GenerateSecretString', 'Name'],
    ignored: ['Description', 'KmsKeyId', 'Tags'],
  },
  'AWS::Events::Rule': {
    honoured: ['EventBusName', 'EventPattern', 'Name', 'State', 'Targets'],
    ignored: ['Description', 'Tags'],
  },
  'AWS::Events::EventBus': { honoured: ['Name'], ignored: ['Description', 'KmsKeyIdentifier', 'LogConfig', 'Tags'] },
  'AWS::SNS::Topic': {
    honoured: ['FifoTopic', 'TopicName'],
    ignored: ['ContentBasedDeduplication', 'DisplayName', 'KmsMasterKeyId', 'Tags', 'TracingConfig'],
  },
  'AWS::SQS::Queue': {
    // Nobody takes from it: what is sent to it is a line of `undelivered.jsonl`.
    honoured: ['QueueName'],
    ignored: ['KmsMasterKeyId', 'MessageRetentionPeriod', 'SqsManagedSseEnabled', 'Tags'],
  },
  // Which services may write into it: here that is the local cloud itself.
  'AWS::SQS::QueuePolicy': { honoured: [], ignored: ['PolicyDocument', 'Queues'] },
  // There are no metrics to watch.
  'AWS::CloudWatch::Alarm': {
    honoured: [],
    ignored: [
      'AlarmDescription',
      'AlarmName',
      'ComparisonOperator',
      'Dimensions',
      'EvaluationPeriods',
      'MetricName',
      'Namespace',
      'Period',
      'Statistic',
      'Threshold',
      'TreatMissingData',
    ],
  },
  'AWS::CDK::Metadata': { honoured: [], ignored: ['Analytics'] },
};

/** Throws with one line if the template asks for something that is not in the table. */
export function assertSupported(logicalId: string, type: string, properties: object): void {
  const row = supportedResources[type];
  if (!row) throw new Error(`The local cloud does not support ${type} (${logicalId}).`);
  for (const property of Object.keys(properties)) {
    if (row.honoured.includes(property) || row.ignored?.includes(property)) continue;
    throw new Error(`The local cloud does not support the property ${property} of ${type} (${logicalId}).`);
  }
}
