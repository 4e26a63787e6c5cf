import { type Client, RequestFailed } from 'vigil-client';
import { untilAnswered } from 'vigil-client/shared';
import { showDialog } from '../actions/page-dialog';
import { goTo } from '../hooks/use-place';
import { t } from '../languages/catalogue';
import { wordsOf } from '../words/problem-words';
import type { JoinLink } from './join';

/** Comes into a conversation by a link, and shows it, or says that its owner is asked. Using a link twice is using it once. */
export async function joinBy(
  { client: { api } }: { client: Pick<Client, 'api'> },
  { id, secret }: JoinLink,
): Promise<void> {
  try {
    const { asks } = await untilAnswered(() => api.join(id, secret));
    if (!asks) return goTo(id);
    showDialog({
      is: 'told',
      title: t('The owner is asked'),
      text: t('The owner of the conversation decides whether to let you in. It then appears in your list.'),
    });
  } catch (error) {
    const isNone = error instanceof RequestFailed && error.status === 404;
    const text = isNone ? t('It has expired, was used or revoked, or the conversation is deleted.') : wordsOf(error);
    showDialog({ is: 'told', title: t('This link does not work'), text });
  }
}
