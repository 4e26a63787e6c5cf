import { cdk } from './cdk';

/** A resource that an upgrade replaces or deletes. */
interface Lost {
  id: string;
  type: string;
}

/** What holds data, keys, addresses or executions. */
export const kept =
  /^AWS::(?:DynamoDB::Table|Cognito::UserPool(?:Client|Domain)?|S3::Bucket|SecretsManager::Secret|StepFunctions::StateMachine|ApiGatewayV2::Api|CloudFront::Distribution|SQS::Queue|Events::EventBus)$/;

/**
 * Returns what CloudFormation would replace or delete of what holds data, keys, addresses or executions, by the CDK's own list of properties that cannot be
 * changed in place.
 *
 * @param earlier the template of the deployed stack, a file.
 */
export async function lostBy(endpoint: string, assembly: string, earlier: string): Promise<Lost[]> {
  const asked = ['diff', 'Vigil', '--app', assembly, '--template', earlier, '--no-change-set'];
  const printed = await cdk(endpoint, asked);
  const lines = printed.matchAll(/^\[[-~]\] (\S+) \S+ (\S+) (?:may be )?(?:replaced?|destroy|orphan)$/gm);
  return [...lines].map(([, type = '', id = '']) => ({ id, type })).filter(({ type }) => kept.test(type));
}
