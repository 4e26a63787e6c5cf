import { addressOf } from '../hooks/use-place';
import { useSummary } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';

/** The way to a conversation, by its title. */
export function ConversationLink({ id }: { id: string }) {
  const title = useSummary(id)?.title;
  return (
    <a
      href={addressOf(id)}
      className="inline-block min-h-6 content-center text-accent underline underline-offset-2 [overflow-wrap:anywhere]"
    >
      {title || t('its conversation')}
    </a>
  );
}
