import { createHash } from 'node:crypto';

/**
 * What `Ref` and `Fn::GetAtt` give for a resource. CloudFormation makes these up at deploy time; here they derive from the stack's
 * and the resource's name, so that they are the same after every restart and the state on disk stays theirs.
 */
export interface PhysicalId {
  ref: string;
  attributes: Readonly<Record<string, string>>;
}

/** Where the stack lives. */
export interface Place {
  stackName: string;
  accountId: string;
  region: string;
  /** Where the HTTP API and the WebSocket API answer, without a slash at the end. */
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
  'AWS::Cognito::UserPoolDomain': (_logicalId, properties) => ({ ref: String(properties.Domain), attributes: {} }),
  'AWS::SecretsManager::Secret': (logicalId, properties, place) => {
    const name = nameOf(logicalId, properties.Name, place);
    // AWS adds six characters to a secret's name, so that policies written for the bare name fail here, too.
    const ref = arn(place, 'secretsmanager', `secret:${name}-${digest(name, 6)}`);
    return { ref, attributes: { Id: ref } };
  },
  'AWS::Events::EventBus': (logicalId, properties, place) => {
    const Name = nameOf(logicalId, properties.Name, place);
    return { ref: Name, attributes: { Arn: arn(place, 'events', `event-bus/${Name}`), Name } };
  },
  // A rule of the default bus is named without it.
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

/** The ids of one resource; a type without a row of its own has an opaque id and no attributes. */
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
