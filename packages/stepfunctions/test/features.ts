/** The features of the engine, one by one; a test compares this table with the code and with README.md. */
export interface Feature {
  readonly area: string;
  readonly name: string;
  readonly supported: 'yes' | 'no' | 'partly';
  readonly note?: string;
}

const all = (area: string, names: string[], note?: string): Feature[] =>
  names.map((name) => ({ area, name, supported: 'yes', ...(note && { note }) }));
const none = (area: string, names: string[], note: string): Feature[] =>
  names.map((name) => ({ area, name, supported: 'no', note }));

export const features: readonly Feature[] = [
  ...all('State', ['Pass', 'Task', 'Choice', 'Wait', 'Succeed', 'Fail', 'Parallel', 'Map']),
  ...all('Language', [
    'JSONPath',
    'JSONata',
    'Assign and variables',
    'Context object',
    'Retry',
    'Catch',
    'TimeoutSeconds and HeartbeatSeconds, fixed and by path',
    'Distributed Map',
    'ItemBatcher',
    'ResultWriter',
    'Credentials',
  ]),
  {
    area: 'Language',
    name: 'ItemReader',
    supported: 'partly',
    note: 'CSV, JSON and JSON Lines objects, object lists, what they name, and S3 inventories in CSV; no Parquet, no Athena manifest',
  },
  ...all('Integration', [
    'Lambda function ARN',
    'lambda:invoke',
    'lambda:invoke.waitForTaskToken',
    'states:startExecution',
    'states:startExecution.sync',
    'states:startExecution.sync:2',
    'states:startExecution.waitForTaskToken',
    'activity',
    'dynamodb:getItem',
    'dynamodb:putItem',
    'dynamodb:updateItem',
    'dynamodb:deleteItem',
    'sqs:sendMessage',
    'sqs:sendMessage.waitForTaskToken',
    'sns:publish',
    'sns:publish.waitForTaskToken',
    'events:putEvents',
    'events:putEvents.waitForTaskToken',
  ]),
  ...all('Integration', [
    'aws-sdk:dynamodb',
    'aws-sdk:sqs',
    'aws-sdk:sns',
    'aws-sdk:eventbridge',
    'aws-sdk:s3',
    'aws-sdk:sfn',
    'aws-sdk:lambda:invoke',
    'aws-sdk:secretsmanager',
  ]),
  ...none(
    'Integration',
    ['ecs:runTask', 'batch:submitJob', 'glue:startJobRun', 'bedrock:invokeModel', 'http:invoke', 'apigateway:invoke'],
    'a task fails with the resource named',
  ),
  ...all('API', [
    'CreateStateMachine',
    'UpdateStateMachine',
    'DescribeStateMachine',
    'DescribeStateMachineForExecution',
    'ListStateMachines',
    'DeleteStateMachine',
    'ValidateStateMachineDefinition',
    'PublishStateMachineVersion',
    'ListStateMachineVersions',
    'DeleteStateMachineVersion',
    'CreateStateMachineAlias',
    'UpdateStateMachineAlias',
    'DescribeStateMachineAlias',
    'ListStateMachineAliases',
    'DeleteStateMachineAlias',
    'StartExecution',
    'StartSyncExecution',
    'StopExecution',
    'DescribeExecution',
    'ListExecutions',
    'GetExecutionHistory',
    'SendTaskSuccess',
    'SendTaskFailure',
    'SendTaskHeartbeat',
    'CreateActivity',
    'DescribeActivity',
    'ListActivities',
    'DeleteActivity',
    'GetActivityTask',
    'TagResource',
    'UntagResource',
    'ListTagsForResource',
    'TestState',
  ]),
  ...['RedriveExecution', 'DescribeMapRun', 'ListMapRuns', 'UpdateMapRun'].map(
    (name): Feature => ({ area: 'API', name, supported: 'partly', note: 'not after the execution has been archived' }),
  ),
  ...all('Test', ['Mock configuration file', 'Wait time scale']),
];
