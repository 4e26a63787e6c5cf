import type { Message } from 'vigil-client';
import type { Call } from 'vigil-client/shared';

interface Rows {
  messages: readonly Message[];
  calls: readonly Call[];
}

/** Returns the words from outside in these rows that the user has not declared as trusted yet, as the API names them. */
export function untrustedIn({ messages, calls }: Rows): { messages: number[]; calls: string[] } {
  const open = ({ trusted, ...row }: Message | Call) => !trusted && hasSources(row);
  return {
    messages: messages.filter(open).map(({ seq }) => seq),
    calls: calls.filter((call) => open(call) && call.completedAt !== undefined).map(({ id }) => id),
  };
}

const hasSources = (row: Pick<Message, 'sources' | 'recalledSources' | 'hostedSources'>): boolean =>
  Boolean(row.sources?.length || row.recalledSources?.length || row.hostedSources?.length);
