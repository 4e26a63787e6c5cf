import { type Approvers, problemOf } from 'vigil-client/shared';

/** The features that only the local cloud has: a clock that can be moved, and stand-ins for the model and the search. */
export interface LocalCloud {
  health(): Promise<LocalTime & StandIns & { approvers: readonly Approvers[] }>;
  move(to: { advance: string } | { to: string }): Promise<LocalTime>;
}

export interface LocalTime {
  now: string;
  /** Milliseconds ahead of the machine's clock. */
  offset: number;
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
    move: (to) => ask('clock', to),
  };
}
