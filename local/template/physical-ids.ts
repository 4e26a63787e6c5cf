import { createHash } from 'node:crypto';

/**
 * The results of `Ref` and `Fn::GetAtt` for a resource. CloudFormation generates these ids. Here they derive from the
 * names of the stack and the resource, so they are the same after a restart and match the state on disk.
 */
export interface PhysicalId {
  ref: string;
  attributes: Readonly<Record<string, string>>;
}

/** The account, the region and the addresses of the stack. */
export interface Place {
  stackName: string;
  accountId: string;
  region: string;
  /** The address of the HTTP API and the WebSocket API, without a trailing slash. */
  apiUrl: string;
}

type Properties = Readonly<Record<string, unknown>>;
type Naming = (logicalId: string, properties: Properties, place: Place) => PhysicalId;

const namings: Readonly<Record<string, Naming>> = {
  'AWS::DynamoDB::Table': (logicalId, properties, place) => {
    const name = nameOf(logicalId, properties.TableName, place);
    const Arn = arn(place, 'dynamodb', `table/${name}`);
    return { ref: name, attributes: { Arn, StreamArn: `${Arn}/stream/local` } };
  },
  'AWS::Lambda::Function': (logicalId, properties, place) => {
    const name = nameOf(logicalId, properties.FunctionName, place);
    return { ref: name, attributes: { Arn: arn(place, 'lambda', `function:${name}`) } };
  },
  'AWS::StepFunctions::StateMachine': (logicalId, properties, place) => {
    const Name = nameOf(logicalId, properties.StateMachineName, place);
    const Arn = arn(place, 'states', `stateMachine:${Name}`);
    return { ref: Arn, attributes: { Arn, Name } };
  },
  'AWS::IAM::Role': (logicalId, properties, place) => {
    const name = nameOf(logicalId, properties.RoleName, place);
    const Arn = `arn:aws:iam::${place.accountId}:role/${name}`;
    return { ref: name, attributes: { Arn, RoleId: `AROA${digest(Arn, 17).toUpperCase()}` } };
  },
  'AWS::IAM::ManagedPolicy': (logicalId, properties, place) => {
    const ref = `arn:aws:iam::${place.accountId}:policy/${nameOf(logicalId, properties.ManagedPolicyName, place)}`;
    return { ref, attributes: { PolicyArn: ref } };
  },
  'AWS::Logs::LogGroup': (logicalId, properties, place) => {
    const name = nameOf(logicalId, properties.LogGroupName, place);
    return { ref: name, attributes: { Arn: arn(place, 'logs', `log-group:${name}:*`) } };
  },
  'AWS::ApiGatewayV2::Api': (logicalId, properties, place) => {
    const ref = digest(`${place.stackName}/${logicalId}`, 10);
    const ApiEndpoint = properties.ProtocolType === 'WEBSOCKET' ? place.apiUrl.replace(/^http/, 'ws') : place.apiUrl;
    return { ref, attributes: { ApiId: ref, ApiEndpoint } };
  },
  'AWS::ApiGatewayV2::Stage': (_logicalId, properties) => ({ ref: String(properties.StageName), attributes: {} }),
  'AWS::Cognito::UserPool': (logicalId, _properties, place) => {
    const ref = `${place.region}_${digest(`${place.stackName}/${logicalId}`, 9)}`;
    const ProviderName = `cognito-idp.${place.region}.amazonaws.com/${ref}`;
    return {
      ref,
      attributes: {
        Arn: arn(place, 'cognito-idp', `userpool/${ref}`),
        ProviderName,
        ProviderURL: `https://${ProviderName}`,
        UserPoolId: ref,
      },
    };
  },
  'AWS::Cognito::UserPoolClient': (logicalId, _properties, place) => {
    const ref = digest(`${place.stackName}/${logicalId}`, 26);
    return { ref, attributes: { ClientId: ref, Name: logicalId } };
  },
  'AWS::Cognito::UserPoolResourceServer': (_logicalId, properties) => ({
    ref: String(properties.Identifier),
    attributes: {},
  }),
  'AWS::Cognito::UserPoolDomain': (_logicalId, properties) => ({ ref: String(properties.Domain), attributes: {} }),
  'AWS::S3::Bucket': (logicalId, properties, place) => {
    const ref = nameOf(logicalId, properties.BucketName, place).toLowerCase();
    const RegionalDomainName = `${ref}.s3.${place.region}.amazonaws.com`;
    return {
      ref,
      attributes: { Arn: `arn:aws:s3:::${ref}`, DomainName: `${ref}.s3.amazonaws.com`, RegionalDomainName },
    };
  },
  'AWS::SecretsManager::Secret': (logicalId, properties, place) => {
    const name = nameOf(logicalId, properties.Name, place);
    // AWS appends six characters to a secret's name. So policies written for the bare name fail here, too.
    const ref = arn(place, 'secretsmanager', `secret:${name}-${digest(name, 6)}`);
    return { ref, attributes: { Id: ref } };
  },
  'AWS::Events::EventBus': (logicalId, properties, place) => {
    const Name = nameOf(logicalId, properties.Name, place);
    return { ref: Name, attributes: { Arn: arn(place, 'events', `event-bus/${Name}`), Name } };
  },
  // The name of a rule on the default bus does not include the bus.
  'AWS::Events::Rule': (logicalId, { Name, EventBusName = 'default' }, place) => {
    const name = nameOf(logicalId, Name, place);
    const [bus] = String(EventBusName).split('/').slice(-1);
    const on = (separator: string) => (bus === 'default' ? name : `${bus}${separator}${name}`);
    return { ref: on('|'), attributes: { Arn: arn(place, 'events', `rule/${on('/')}`) } };
  },
  'AWS::SQS::Queue': (logicalId, properties, place) => {
    const QueueName = nameOf(logicalId, properties.QueueName, place);
    const ref = `https://sqs.${place.region}.amazonaws.com/${place.accountId}/${QueueName}`;
    return { ref, attributes: { Arn: arn(place, 'sqs', QueueName), QueueName, QueueUrl: ref } };
  },
  'AWS::SNS::Topic': (logicalId, properties, place) => {
    const fifo = properties.FifoTopic === true && !properties.TopicName;
    const TopicName = nameOf(logicalId, properties.TopicName, place) + (fifo ? '.fifo' : '');
    const TopicArn = arn(place, 'sns', TopicName);
    return { ref: TopicArn, attributes: { TopicArn, TopicName } };
  },
};

/** Returns the ids of a resource. A type that is not in the table has an opaque id and no attributes. */
export function physicalId(logicalId: string, type: string, properties: Properties, place: Place): PhysicalId {
  const naming = namings[type];
  return naming
    ? naming(logicalId, properties, place)
    : { ref: digest(`${place.stackName}/${logicalId}`, 10), attributes: {} };
}

function nameOf(logicalId: string, given: unknown, place: Place): string {
  return typeof given === 'string' ? given : `${place.stackName}-${logicalId}`;
}

function arn(place: Place, service: string, rest: string): string {
  return `arn:aws:${service}:${place.region}:${place.accountId}:${rest}`;
}

function digest(text: string, length: number): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return BigInt(`0x${hex}`).toString(36).slice(0, length);
}
