import {
  GetExecutionHistoryCommand,
  type HistoryEvent,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  type SFNClient,
} from '@aws-sdk/client-sfn';

/** Returns the ARNs of the state machines. */
export async function machinesOf(client: SFNClient): Promise<string[]> {
  const { stateMachines = [] } = await client.send(new ListStateMachinesCommand({}));
  return stateMachines.map(({ stateMachineArn }) => stateMachineArn!);
}

/** Returns the executions of state machines that have not ended. */
export async function runningExecutions(client: SFNClient, stateMachineArns?: readonly string[]) {
  const pages = await Promise.all(
    (stateMachineArns ?? (await machinesOf(client))).map((stateMachineArn) =>
      client.send(new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING' })),
    ),
  );
  return pages.flatMap(({ executions = [] }) => executions);
}

/** Returns the executions of a run from the Step Functions API, first segment first. */
export async function executionsOf(client: SFNClient, stateMachineArn: string, runId: string) {
  const executions = [];
  let nextToken: string | undefined;
  do {
    const page = await client.send(new ListExecutionsCommand({ stateMachineArn, nextToken }));
    executions.push(...(page.executions ?? []));
    nextToken = page.nextToken;
  } while (nextToken);
  const segmentOf = (name = '') => Number(name.slice(runId.length + 1));
  return executions
    .filter(({ name }) => name?.startsWith(`${runId}-`))
    .sort((a, b) => segmentOf(a.name) - segmentOf(b.name));
}

export async function historyOf(client: SFNClient, executionArn: string): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  let nextToken: string | undefined;
  do {
    const page = await client.send(new GetExecutionHistoryCommand({ executionArn, nextToken, maxResults: 1000 }));
    events.push(...(page.events ?? []));
    nextToken = page.nextToken;
  } while (nextToken);
  return events;
}

/** Returns the names of the states entered, in order. AWS bills these transitions. */
export const statesEntered = (events: HistoryEvent[]): string[] =>
  events.flatMap(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name ?? []);

/** Returns the largest input or output of any state, in bytes. */
export const largestState = (events: HistoryEvent[]): number =>
  Math.max(
    ...events.flatMap(({ stateEnteredEventDetails: entered, stateExitedEventDetails: exited }) =>
      [entered?.input, exited?.output].map((text) => Buffer.byteLength(text ?? '')),
    ),
  );

/** Returns the states that a run passes whose steps lead to these. */
export const stepsTo = (...states: string[]): string[] => states.flatMap((state) => ['CallModel', 'Route', state]);
