import { t } from '../languages/catalogue';
import { plain } from '../words/words';

/** Returns the status of a row, a run or an entry of the timeline in words; one that this page does not know, as it is. */
export function rowStatus(status: string): string {
  switch (status) {
    case 'pending':
      return t('pending');
    case 'queued':
      return t('queued');
    case 'running':
      return t('running');
    case 'streaming':
      return t('streaming');
    case 'sleeping':
      return t('sleeping');
    case 'waiting':
      return t('waiting');
    case 'done':
      return t('done');
    case 'complete':
      return t('complete');
    case 'completed':
      return t('completed');
    case 'answered':
      return t('answered');
    case 'expired':
      return t('expired');
    case 'failed':
      return t('failed');
    case 'error':
      return t('error');
    case 'limited':
      return t('limited');
    case 'unknown':
      return t('unknown');
    case 'cancelling':
      return t('cancelling');
    case 'cancelled':
      return t('cancelled');
    case 'undoing':
      return t('undoing');
    case 'undone':
      return t('undone');
    case 'not undone':
      return t('not undone');
    default:
      return plain(status);
  }
}
