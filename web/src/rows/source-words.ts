import type { Source } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { locale } from '../languages/locale';

/** Names the sources of words from outside. */
export const sourceWords = (sources: readonly Source[]): string =>
  new Intl.ListFormat(locale(), { type: 'conjunction' }).format(sources.map(nameOf));

function nameOf(source: Source): string {
  switch (source) {
    case 'web':
      return t('the web');
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
