import type { Resource } from '../template/template';
import { AwsError } from './aws-error';

/** Step Functions by its wire protocol: the embedded engine, or the one at SFN_ENDPOINT. */
export interface StepFunctions {
  /** Calls an action with a body in AWS JSON. Errors have the form `{__type, message}`. */
  call(action: string, body: unknown): Promise<{ status: number; body: unknown }>;
  /** Whether nothing is under way, as far as is known. */
  isIdle(): boolean;
  stop(): Promise<void>;
}

/** An external engine (Step Functions Local), which calls functions through the Invoke API. */
export function remoteStepFunctions(endpoint: string, region: string): StepFunctions {
  return {
    async call(action, body) {
      const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
      // A time is ASCII.
      const scope = `${stamp.slice(0, 8)}/${region}/states/aws4_request`;
      try {
        const response = await fetch(endpoint, {
          method: 'POST',
          headers: {
            authorization: `AWS4-HMAC-SHA256 Credential=vigil/${scope}, SignedHeaders=host, Signature=0`,
            'content-type': 'application/x-amz-json-1.0',
            'x-amz-date': stamp,
            'x-amz-target': `AWSStepFunctions.${action}`,
          },
          body: JSON.stringify(body),
        });
        return { status: response.status, body: JSON.parse((await response.text()) || '{}') };
      } catch (error) {
        throw new Error(`Step Functions does not respond at ${endpoint} (SFN_ENDPOINT).`, { cause: error });
      }
    },
    isIdle: () => true,
    stop: async () => undefined,
  };
}

interface Described {
  definition: string;
  roleArn: string;
}

/**
 * Creates the template's state machines, or updates those whose definition has changed. Running executions keep their
 * definition, as on AWS.
 */
export async function deployStateMachines(engine: StepFunctions, machines: readonly Resource[]): Promise<void> {
  for (const machine of machines) {
    const { RoleArn, StateMachineType = 'STANDARD' } = machine.properties;
    const stateMachineArn = machine.ref;
    const definition = definitionOf(machine);
    const roleArn = String(RoleArn);
    const existing = await find(engine, stateMachineArn);
    if (!existing) {
      const type = StateMachineType;
      const made = await send(engine, 'CreateStateMachine', {
        name: machine.attributes.Name,
        definition,
        roleArn,
        type,
      });
      if (made.stateMachineArn && made.stateMachineArn !== stateMachineArn) throw new Error(elsewhere(stateMachineArn));
    } else if (existing.definition !== definition || existing.roleArn !== roleArn) {
      await send(engine, 'UpdateStateMachine', { stateMachineArn, definition, roleArn });
    }
  }
}

/** Returns the definition with its substitutions: `${CallModel}` becomes the function's ARN. */
function definitionOf({ logicalId, properties }: Resource): string {
  const values = (properties.DefinitionSubstitutions ?? {}) as Record<string, unknown>;
  if (typeof properties.DefinitionString !== 'string') throw new Error(`${logicalId} has no DefinitionString.`);
  return properties.DefinitionString.replace(/\$\{([A-Za-z0-9_]+)\}/g, (all, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : all,
  );
}

async function find(engine: StepFunctions, stateMachineArn: string): Promise<Described | undefined> {
  try {
    return (await send(engine, 'DescribeStateMachine', { stateMachineArn })) as unknown as Described;
  } catch (error) {
    if (error instanceof AwsError && error.name === 'StateMachineDoesNotExist') return undefined;
    throw error;
  }
}

async function send(engine: StepFunctions, action: string, input: object): Promise<Record<string, unknown>> {
  const { status, body } = await engine.call(action, input);
  const answer = body as Record<string, unknown>;
  if (status === 200) return answer;
  throw new AwsError(String(answer.__type).split('#').at(-1) ?? '', String(answer.message ?? answer.__type), status);
}

/** Functions know their state machine by the template's ARN, but another engine may use another account. */
function elsewhere(stateMachineArn: string): string {
  const [, , , region, account] = stateMachineArn.split(':');
  return `The engine at SFN_ENDPOINT uses another account: start it with AWS_ACCOUNT_ID=${account} and AWS_DEFAULT_REGION=${region}.`;
}
