import {
  type ExecutionListItem,
  type HistoryEvent,
  paginateGetExecutionHistory,
  paginateListExecutions,
  SFNClient,
} from '@aws-sdk/client-sfn';

/** What a run's executions did, read through the AWS API like any Step Functions client would. */
export interface Histories {
  /** The run's executions, the first one first. */
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
 * State transitions as Standard workflows bill them: one each time a state is executed, retries included. A history shows
 * the first of an execution as `…StateEntered`; a retry enters no state, it only schedules its task once more. So: states
 * entered, plus tasks scheduled beyond the first of each Task state.
 */
export function transitions(events: HistoryEvent[]): number {
  const entered = events.filter(enteredState).length;
  const tasks = events.filter(({ type }) => type === 'TaskStateEntered').length;
  const scheduled = events.filter(({ type }) => type && /^(Task|LambdaFunction|Activity)Scheduled$/.test(type)).length;
  return entered + Math.max(0, scheduled - tasks);
}
