import type { HistoryEvent } from '../execution/history';
import { type Json, type JsonObject, parseJson } from '../language/json';
import { validateDefinition } from '../validation/validate';
import { textProblem } from '../validation/validate-text';
import { warningsOf } from '../validation/warnings';
import { activityActions } from './activities';
import { aliasActions } from './aliases';
import { validationFailed } from './api-error';
import { childEvents, isChild } from './child-executions';
import { executionActions } from './executions';
import { expressActions } from './express';
import { lookUp } from './find-execution';
import { mapRunActions } from './map-runs';
import { type Action, page, requiredArn, requiredText, seconds } from './request';
import { stateMachineActions } from './state-machines';
import { tagActions } from './tags';
import { taskActions } from './tasks';
import { testStateActions } from './test-state/test-state';
import { versionActions } from './versions';

/** "The default value and the maximum value are 100 diagnostics." */
const most = 100;

/** Diagnostics of a definition, without creating anything. */
const validateStateMachineDefinition: Action = async (_engine, body) => {
  if (Number(body.maxResults ?? 0) > most)
    throw validationFailed(
      `1 validation error detected: Value '${body.maxResults}' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to ${most}`,
    );
  const definition = requiredText(body, 'definition');
  const errors = validateDefinition(definition, body.type === 'EXPRESS' ? 'EXPRESS' : 'STANDARD');
  const warned = body.severity === 'WARNING' && textProblem(definition) === undefined;
  const wanted = [...errors, ...(warned ? warningsOf(parseJson(definition) as JsonObject) : [])];
  // "Setting the value to 0" means the usual number.
  const size = Number(body.maxResults ?? 0) || most;
  return {
    result: errors.length > 0 ? 'FAIL' : 'OK',
    diagnostics: wanted.slice(0, size).map((diagnostic) => ({ ...diagnostic })),
    truncated: wanted.length > size,
  };
};

const validateActions: Record<string, Action> = {
  ValidateStateMachineDefinition: validateStateMachineDefinition,
};

/** Fields of events' details that `includeExecutionData: false` omits: inputs and outputs, but not a task's parameters. */
const executionData = ['input', 'inputDetails', 'output', 'outputDetails'];

const getExecutionHistory: Action = async (engine, body) => {
  const arn = requiredArn(body, 'executionArn', 'execution');
  const events = isChild(arn) ? await childEvents(engine, arn) : await (await lookUp(engine, arn)).events();
  const { items, nextToken } = page(events, body, ({ id }) => [body.reverseOrder === true ? -id : id]);
  const withData = body.includeExecutionData !== false;
  return { events: items.map((event) => wireEvent(event, withData)), ...(nextToken !== undefined && { nextToken }) };
};

function wireEvent(
  { id, previousEventId, timestamp, type, detailsName, details }: HistoryEvent,
  withData: boolean,
): JsonObject {
  const event: JsonObject = { timestamp: seconds(timestamp), type, id, previousEventId };
  if (detailsName !== undefined && details !== undefined) {
    event[detailsName] = Object.fromEntries(
      Object.entries(details).filter(
        (field): field is [string, Json] => field[1] !== undefined && (withData || !executionData.includes(field[0])),
      ),
    );
  }
  return event;
}

const historyActions: Record<string, Action> = { GetExecutionHistory: getExecutionHistory };

/** Everything that the API can do. */
export const actions: Readonly<Record<string, Action>> = {
  ...stateMachineActions,
  ...versionActions,
  ...aliasActions,
  ...executionActions,
  ...historyActions,
  ...mapRunActions,
  ...taskActions,
  ...activityActions,
  ...expressActions,
  ...tagActions,
  ...testStateActions,
  ...validateActions,
};
