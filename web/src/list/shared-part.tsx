import { useCallback, useId, useState } from 'react';
import { pagesOf } from 'vigil-client';
import type { SharedConversation } from 'vigil-client/shared';
import { showDialog } from '../actions/page-dialog';
import { useRead } from '../hooks/use-read';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { Confirm } from '../ui/confirm';
import { personName } from '../words/person';
import { wordsOf } from '../words/problem-words';

/** Who is in the user's conversations or may come in, and the end of all that the dialog shows. */
export function SharedPart({ ended }: { ended: () => void }) {
  const { client } = useVigil();
  const id = useId();
  const [asks, setAsks] = useState(false);
  const [state, setState] = useState<'ready' | 'busy' | 'ended'>('ready');
  const [problem, setProblem] = useState<string>();
  const read = useCallback(async () => {
    const shared: SharedConversation[] = [];
    const ignored: string[] = [];
    for await (const page of pagesOf(client.api.authority)) {
      shared.push(...page.shared);
      ignored.push(...page.ignored);
    }
    return { shared, ignored };
  }, [client]);
  const { value, again } = useRead(read);
  const { shared, ignored } = value ?? { shared: [], ignored: [] };
  const heed = (name: string) =>
    client.api.setIgnored({ name, ignored: false }).then(again, (error: unknown) => setProblem(wordsOf(error)));
  const endAll = async () => {
    setState('busy');
    try {
      let { cursor } = await client.api.endAuthority();
      while (cursor !== undefined) ({ cursor } = await client.api.endAuthority(cursor));
      setState('ended');
      setProblem(undefined);
    } catch (error) {
      setState('ready');
      setProblem(t('Not all of it has ended: {problem}', { problem: wordsOf(error) }));
    }
    again();
    ended();
  };
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2 border-line border-t py-4 text-sm">
      <h3 id={id} className="font-medium">
        {t('Conversations that you share')}
      </h3>
      {shared.length === 0 && <p className="text-faint">{t('None')}</p>}
      <ul className="divide-y divide-line">
        {shared.map(({ conversationId, title, members, links }) => (
          <li key={conversationId} className="flex items-center gap-3 py-2">
            <span className="min-w-0 grow">
              <a
                href={`#/c/${conversationId}`}
                className="block truncate font-medium underline decoration-line underline-offset-2"
              >
                {title}
              </a>
              <span className="block text-muted text-xs [overflow-wrap:anywhere]">
                {[
                  ...members.map(({ member, name }) => personName(member.replace(/^user:/, ''), name)),
                  ...(links.length > 0
                    ? [t('{count, plural, one {# link} other {# links}}', { count: links.length })]
                    : []),
                ].join(', ')}
              </span>
            </span>
            <Button
              onClick={() => showDialog({ is: 'share', id: conversationId })}
              aria-label={t('People of {title}', { title })}
            >
              {t('People')}
            </Button>
          </li>
        ))}
      </ul>
      {ignored.length > 0 && (
        <>
          <h3 className="font-medium">{t('What you ignore')}</h3>
          <ul className="divide-y divide-line">
            {ignored.map((name) => (
              <li key={name} className="flex items-center gap-3 py-2">
                <span className="min-w-0 grow [overflow-wrap:anywhere]">{ignoredWords(name)}</span>
                <Button
                  onClick={() => void heed(name)}
                  aria-label={t('No longer ignore {name}', { name: ignoredWords(name) })}
                >
                  {t('No longer')}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="text-muted">
        {t(
          '“End all” ends everything above, removes everybody from your conversations, and ends devices, e-mail and words in notifications.',
        )}
      </p>
      <Button onClick={() => setAsks(true)} disabled={state === 'busy'} className="self-start">
        {t('End all')}
      </Button>
      <p role="status" className="text-muted">
        {state === 'ended' && t('All of it has ended.')}
      </p>
      {problem && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
      {asks && (
        <Confirm
          title={t('End all that others may do for you?')}
          text={t('Agents ask you again, nobody decides in your place, and nobody but you is in your conversations.')}
          action={t('End all')}
          confirm={() => void endAll()}
          close={() => setAsks(false)}
        />
      )}
    </section>
  );
}

/** A user, or a conversation, whose title is not known here. */
const ignoredWords = (name: string): string =>
  name.startsWith('user:')
    ? personName(name.slice('user:'.length))
    : t('Conversation {id}', { id: name.slice('conversation:'.length) });
