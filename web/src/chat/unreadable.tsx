import type { Conversation } from 'vigil-client';
import { t } from '../languages/catalogue';

/** Says which records of a conversation cannot be read, and are therefore not shown. */
export function Unreadable({ parts = [] }: { parts: Conversation['unreadable'] }) {
  return parts.map(({ row, field }) => (
    <p key={row} data-unreadable={row} className="text-faint text-xs">
      {t('A record of this conversation cannot be read: the field “{field}” of {row}.', { field, row })}
    </p>
  ));
}
