/**
 * The parts of a template that the local cloud supports: one row per resource type, with CloudFormation's property
 * names.
 *
 * - `honoured` properties have an effect here.
 * - `ignored` properties make no difference on one machine (encryption at rest, retention, tags).
 * - Any other property stops the start with its name. Otherwise it would silently do nothing here, and the difference
 *   would only show after a deployment.
 */
interface Supported {
  honoured: readonly string[];
  ignored?: readonly string[];
}

const supportedResources: Readonly<Record<string, Supported>> = {
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
  // The retries and the maximum age are Lambda's defaults. Other values are rejected, because they would have no
  // effect.
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
    // A batching window only saves invocations. One poller keeps the order for any parallelization factor.
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
    // `AutoDeploy` means nothing here, because a deployment takes effect at once. Throttling is for many users.
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
  'AWS::ApiGatewayV2::Authorizer': {
    honoured: ['ApiId', 'AuthorizerType', 'IdentitySource', 'JwtConfiguration', 'Name'],
  },
  'AWS::Cognito::UserPool': {
    // Sign-up is up to Cognito's own pages. The local issuer signs for any user name.
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
    honoured: [
      'AccessTokenValidity',
      'AllowedOAuthFlows',
      'AllowedOAuthFlowsUserPoolClient',
      'AllowedOAuthScopes',
      'ClientName',
      'TokenValidityUnits',
      'UserPoolId',
    ],
    // There are no refresh tokens: whoever reaches loopback gets another token for any user.
    ignored: [
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
      'RefreshTokenRotation',
      'RefreshTokenValidity',
      'SupportedIdentityProviders',
      'WriteAttributes',
    ],
  },
  'AWS::Cognito::UserPoolResourceServer': { honoured: ['Identifier', 'UserPoolId'], ignored: ['Name', 'Scopes'] },
  'AWS::Cognito::UserPoolDomain': { honoured: ['Domain', 'UserPoolId'], ignored: ['ManagedLoginVersion'] },
  'AWS::S3::Bucket': {
    honoured: ['BucketName', 'CorsConfiguration'],
    // Uploads in parts are not served, so none is unfinished. Every object is private: only roles and signatures reach it.
    ignored: [
      'BucketEncryption',
      'LifecycleConfiguration',
      'OwnershipControls',
      'PublicAccessBlockConfiguration',
      'Tags',
    ],
  },
  // What it may allow, to other accounts or services, has no meaning here.
  'AWS::S3::BucketPolicy': { honoured: [], ignored: ['Bucket', 'PolicyDocument'] },
  'AWS::SecretsManager::Secret': {
    honoured: ['GenerateSecretString', 'Name', 'Tags'],
    ignored: ['Description', 'KmsKeyId'],
  },
  'AWS::Events::Rule': {
    honoured: ['EventBusName', 'EventPattern', 'Name', 'State', 'Targets'],
    // A schedule never fires here. What it is for (Reconcile) compares two services that keep their state together here.
    ignored: ['Description', 'ScheduleExpression', 'Tags'],
  },
  'AWS::Events::EventBus': { honoured: ['Name'], ignored: ['Description', 'KmsKeyIdentifier', 'LogConfig', 'Tags'] },
  'AWS::SNS::Topic': {
    honoured: ['FifoTopic', 'TopicName'],
    ignored: ['ContentBasedDeduplication', 'DisplayName', 'KmsMasterKeyId', 'Tags', 'TracingConfig'],
  },
  'AWS::SQS::Queue': {
    // The queue cannot be read. A message sent to it becomes a line of `undelivered.jsonl`.
    honoured: ['QueueName'],
    ignored: ['KmsMasterKeyId', 'MessageRetentionPeriod', 'SqsManagedSseEnabled', 'Tags'],
  },
  // Which services may send to the queue. Here, only the local cloud does.
  'AWS::SQS::QueuePolicy': { honoured: [], ignored: ['PolicyDocument', 'Queues'] },
  // There are no metrics to watch.
  'AWS::CloudWatch::Dashboard': { honoured: [], ignored: ['DashboardBody', 'DashboardName'] },
  'AWS::CloudWatch::Alarm': {
    honoured: [],
    ignored: [
      'AlarmActions',
      'AlarmDescription',
      'AlarmName',
      'ComparisonOperator',
      'Dimensions',
      'EvaluationPeriods',
      'ExtendedStatistic',
      'MetricName',
      'Metrics',
      'Namespace',
      'OKActions',
      'Period',
      'Statistic',
      'Threshold',
      'TreatMissingData',
    ],
  },
  'AWS::CDK::Metadata': { honoured: [], ignored: ['Analytics'] },
};

/**
 * @throws Error in one line if the template uses something that is not in the table.
 */
export function assertSupported(logicalId: string, type: string, properties: object): void {
  const row = supportedResources[type];
  if (!row) throw new Error(`The local cloud does not support ${type} (${logicalId}).`);
  for (const property of Object.keys(properties)) {
    if (row.honoured.includes(property) || row.ignored?.includes(property)) continue;
    throw new Error(`The local cloud does not support the property ${property} of ${type} (${logicalId}).`);
  }
}
