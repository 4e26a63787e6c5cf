import { DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { ListEventBusesCommand } from '@aws-sdk/client-eventbridge';
import type { Planned } from './checks';
import type { Clients } from './clients';
import { type Finding, fails, ok, unless } from './finding';

/** Returns whether what earlier deployments have left, under the names of this one, is in its way. */
export async function earlierAttempt(clients: Clients, { stackName }: Planned): Promise<Finding[]> {
  const stack = await stackNamed(clients, stackName);
  if (stack) return [stateOf(stack, stackName)];
  const taken = await namesTaken(clients, stackName);
  if (taken.length === 0) return [ok(`CloudFormation: ${stackName} is a new stack, and its names are free`)];
  return taken.map((what) =>
    fails(
      `CloudFormation: ${what} exists, and is not of a stack ${stackName}: delete it, or name the stack differently.`,
    ),
  );
}

async function stackNamed({ cloudFormation }: Clients, StackName: string): Promise<Stack | undefined> {
  const found = await unless('ValidationError', cloudFormation.send(new DescribeStacksCommand({ StackName })));
  return found?.Stacks?.[0];
}

function stateOf({ StackStatus, EnableTerminationProtection }: Stack, name: string): Finding {
  const status = String(StackStatus);
  const what = `CloudFormation: the stack ${name} is in ${status}`;
  const withName = `--stack-name ${name}`;
  if (status.endsWith('_IN_PROGRESS')) return fails(`${what}: wait until it is done.`);
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return fails(`${what}: run aws cloudformation continue-update-rollback ${withName}.`);
  // The CDK deletes what is left of a first deployment that has failed, and cannot where that is protected.
  if (status === 'ROLLBACK_COMPLETE' && !EnableTerminationProtection)
    return ok(`${what}, and the CDK creates it again`);
  if (status === 'ROLLBACK_COMPLETE')
    return fails(
      `${what} and is protected: run aws cloudformation update-termination-protection --no-enable-termination-protection ${withName}.`,
    );
  if (/^(CREATE|ROLLBACK|DELETE)_FAILED$/.test(status))
    return fails(`${what}: see its events, and run aws cloudformation delete-stack ${withName}.`);
  return ok(what);
}

/** CloudFormation creates nothing under a name that there is already. The names that it makes itself are always free. */
async function namesTaken({ logs, events }: Clients, stackName: string): Promise<string[]> {
  const groups = ['states', 'apis'].map(async (service) => {
    const logGroupNamePrefix = `/aws/vendedlogs/${service}/${stackName}-`;
    const { logGroups = [] } = await logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix }));
    return logGroups.map(({ logGroupName }) => `the log group ${logGroupName}`);
  });
  const { EventBuses = [] } = await events.send(new ListEventBusesCommand({ NamePrefix: `${stackName}-events-` }));
  return [...(await Promise.all(groups)).flat(), ...EventBuses.map(({ Name }) => `the event bus ${Name}`)];
}
