import type { Callback, Message } from 'vigil-client';
import { type Call, reasonOf, type Source } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { locale } from '../languages/locale';

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

function sourceName(source: Source): string {
  switch (source) {
    case 'web':
      return t('the web');
    case 'member':
      return t('a member of the conversation');
    case 'person':
      return t('another person');
    case 'system':
      return t('an outside system');
    case 'file':
      return t('a file');
    case 'unknown':
      return t('an unknown source');
  }
}

/** Names the sources in the reader's language. */
export const sourceWords = (sources: readonly Source[]): string =>
  new Intl.ListFormat(locale(), { type: 'conjunction' }).format(sources.map(sourceName));

/** Returns why a person is asked. The server says it in English; a reason that is not about sources is told as it is. */
export function reasonWords(callback: Pick<Callback, 'reason' | 'sources' | 'asker'>): string | undefined {
  const { reason, sources = [] } = callback;
  if (reason === undefined || reason !== reasonOf(callback)) return reason;
  return t('The agent has read words from {sources}, which may have asked for this.', {
    sources: sourceWords(sources),
  });
}
