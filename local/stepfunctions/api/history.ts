import type { HistoryEvent } from '../interpreter/history';
import type { Json, JsonObject } from '../language/json';
import { childEvents, isChild } from './child-executions';
import { lookUp } from './find-execution';
import { type Action, page, requiredArn, seconds } from './request';

/** What `includeExecutionData: false` leaves out of the events' details: inputs and outputs, not what a task was asked. */
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

export const historyActions: Record<string, Action> = { GetExecutionHistory: getExecutionHistory };
