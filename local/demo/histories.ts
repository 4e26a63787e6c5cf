import {
  type ExecutionListItem,
  type HistoryEvent,
  paginateGetExecutionHistory,
  paginateListExecutions,
  SFNClient,
} from '@aws-sdk/client-sfn';

/** The histories of a run's executions, read through the AWS API like any client of Step Functions. */
export interface Histories {
  /** The run's executions, oldest first. */
  executions(runId: string): Promise<ExecutionListItem[]>;
  events(executionArn: string): Promise<HistoryEvent[]>;
  close(): void;
}

export function openHistories(awsUrl: string, stateMachineArn: string): Histories {
  const credentials = { accessKeyId: 'demo', secretAccessKey: 'demo' };
  const client = new SFNClient({ endpoint: awsUrl, region: 'us-east-1', credentials });
  return {
    async executions(runId) {
      const found: ExecutionListItem[] = [];
      for await (const page of paginateListExecutions({ client }, { stateMachineArn })) {
        found.push(...(page.executions ?? []).filter(({ name }) => name?.startsWith(`${runId}-`)));
      }
      const segment = ({ name }: ExecutionListItem) => Number(name?.slice(runId.length + 1));
      return found.sort((a, b) => segment(a) - segment(b));
    },
    async events(executionArn) {
      const events: HistoryEvent[] = [];
      for await (const page of paginateGetExecutionHistory({ client }, { executionArn, maxResults: 1_000 })) {
        events.push(...(page.events ?? []));
      }
      return events;
    },
    close: () => client.destroy(),
  };
}

export const enteredState = (event: HistoryEvent): string | undefined => event.stateEnteredEventDetails?.name;

/**
 * Returns the number of state transitions that Standard workflows bill: one each time a state is executed, including
 * retries. A history has one `…StateEntered` per execution of a state; a retry only schedules the task again. So the
 * number is: states entered, plus tasks scheduled beyond the first of each Task state.
 */
export function transitions(events: HistoryEvent[]): number {
  const entered = events.filter(enteredState).length;
  const tasks = events.filter(({ type }) => type === 'TaskStateEntered').length;
  const scheduled = events.filter(({ type }) => type && /^(Task|LambdaFunction|Activity)Scheduled$/.test(type)).length;
  return entered + Math.max(0, scheduled - tasks);
}
