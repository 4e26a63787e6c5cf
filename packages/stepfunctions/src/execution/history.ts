import type { Json } from '../language/json';

export type EventDetails = { [name: string]: Json | undefined };

/** An event as GetExecutionHistory gives it; the timestamp in milliseconds since the epoch. */
export interface HistoryEvent {
  id: number;
  previousEventId: number;
  timestamp: number;
  type: string;
  /** The name and content of the event's `…EventDetails`. */
  detailsName?: string;
  details?: EventDetails;
}

/** Takes the events of a transition, in order. Without one they are counted only. */
export interface HistorySink {
  (event: HistoryEvent): void;
  /** The ARN of the distributed map's child whose events are wanted; without it, the execution's own are. */
  readonly child?: string;
}

/** `PassStateEntered` and `TaskStateEntered` share one details field; the others are named after their type. */
export function detailsName(type: string): string {
  if (type.endsWith('StateEntered')) return 'stateEnteredEventDetails';
  if (type.endsWith('StateExited')) return 'stateExitedEventDetails';
  return `${type[0]!.toLowerCase()}${type.slice(1)}EventDetails`;
}
