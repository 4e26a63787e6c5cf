import type { HistoryEvent, HistoryEventType } from '@aws-sdk/client-sfn';
import { transitions } from './histories';

const event = (type: HistoryEventType, id: number): HistoryEvent => ({
  id,
  type,
  timestamp: new Date(0),
  ...(type.endsWith('StateEntered') && { stateEnteredEventDetails: { name: 'Any' } }),
});
const history = (...types: HistoryEventType[]) => types.map(event);

describe('state transitions', () => {
  test('count each state entered', () => {
    const events = history(
      'ExecutionStarted',
      'TaskStateEntered',
      'TaskScheduled',
      'TaskSucceeded',
      'TaskStateExited',
      'ChoiceStateEntered',
      'ChoiceStateExited',
      'SucceedStateEntered',
      'SucceedStateExited',
      'ExecutionSucceeded',
    );
    expect(transitions(events)).toBe(3);
  });

  test('count each retry, which enters no state', () => {
    const twice: HistoryEventType[] = ['TaskScheduled', 'TaskFailed', 'TaskScheduled', 'TaskFailed'];
    expect(transitions(history('TaskStateEntered', ...twice, 'TaskScheduled', 'TaskSucceeded'))).toBe(3);
    const lambda: HistoryEventType[] = ['LambdaFunctionScheduled', 'LambdaFunctionFailed', 'LambdaFunctionScheduled'];
    expect(transitions(history('TaskStateEntered', ...lambda))).toBe(2);
  });

  test('count a state whose task was never scheduled', () => {
    expect(transitions(history('TaskStateEntered', 'ExecutionFailed'))).toBe(1);
  });
});
