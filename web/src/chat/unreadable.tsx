import { t } from '../languages/catalogue';

type What = 'conversation' | 'message' | 'call' | 'timer';

/** Says of a row that a part of it cannot be read. The rest is shown. */
export function Unreadable({ what, field }: { what: What; field: string | undefined }) {
  if (field === undefined) return null;
  return (
    <p data-unreadable={field} className="text-faint text-xs">
      {unreadableWords(what, field)}
    </p>
  );
}

function unreadableWords(what: What, field: string): string {
  switch (what) {
    case 'conversation':
      return t('A part of this conversation cannot be read: its field “{field}” is not valid.', { field });
    case 'message':
      return t('A part of this message cannot be read: its field “{field}” is not valid.', { field });
    case 'call':
      return t('A part of this call cannot be read: its field “{field}” is not valid.', { field });
    case 'timer':
      return t('A part of this timer cannot be read: its field “{field}” is not valid.', { field });
  }
}
