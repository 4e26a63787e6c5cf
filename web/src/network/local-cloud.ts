import { type Approvers, problemOf } from 'vigil-client/shared';

/** The features that only the local cloud has: a clock that can be moved, and stand-ins for the model and the search. */
export interface LocalCloud {
  health(): Promise<LocalTime & StandIns & { approvers: readonly Approvers[] }>;
  time(): Promise<LocalTime>;
  /** Resolves at once, also while the clock is still moving. */
  move(to: { advance: string } | { to: string }): Promise<LocalTime>;
  /** Ends a move where it is. */
  stop(): Promise<LocalTime>;
}

export interface LocalTime {
  now: string;
  /** Milliseconds ahead of the machine's clock. */
  offset: number;
  /** The end of the move that is under way. */
  movingTo?: string;
}

/** The model and the search in use. */
export interface StandIns {
  model?: string;
  search?: string;
}

export function localCloud(): LocalCloud {
  async function ask<Answer>(path: string, body?: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    const how = body ? { method: 'POST', headers, body: JSON.stringify(body) } : {};
    const response = await fetch(`/_local/${path}`, how);
    if (!response.ok) throw await problemOf(response);
    return (await response.json()) as Answer;
  }
  return {
    health: () => ask('health'),
    time: () => ask('clock'),
    move: (to) => ask('clock', { ...to, waitMs: 0 }),
    stop: () => ask('clock', { stop: true }),
  };
}
