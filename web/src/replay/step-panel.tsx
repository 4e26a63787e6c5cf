import type { ReactNode } from 'react';
import type { Message } from 'vigil-client';
import { CallDetails } from '../calls/call-details';
import { looksOf } from '../calls/call-looks';
import { seenName, sizeWords } from '../files/file-words';
import { filesOfMessage } from '../files/shown-files';
import { PastContext } from '../hooks/past';
import { useInspect } from '../hooks/use-inspect';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { MachinePicture } from '../panel/machine-picture';
import { Section } from '../panel/section';
import { seenBy } from '../rows/call-state';
import { type CallCard, transcript } from '../rows/transcript';
import { Moment } from '../ui/moment';
import { answeredBy, costWords, count, savedWords, span, standing, toolWords } from '../words/words';
import { isReply } from './moments';
import { type Replayed, type ReplayProps, useReplay } from './use-replay';

/** The panel of a replay: the step with its model call and its tool calls, as they were. */
export function StepPanel(props: ReplayProps) {
  const replayed = useReplay(props);
  const { inspects } = useInspect();
  if (!replayed) return null;
  const { conversation, moment, run, rows, steps } = replayed;
  const now = Date.parse(moment.at);
  const { runId } = props.place;
  const ofStep = (row: { runId?: string; step?: number }) => row.runId === runId && row.step === moment.step;
  const reply = rows.messages.findLast((one) => ofStep(one) && isReply(one));
  const calls = rows.calls.filter(ofStep);
  // A card has its callback and its state.
  const cards = transcript({ messages: [], calls, callbacks: rows.callbacks }, []);
  return (
    <PastContext value={now}>
      <div className="flex min-h-0 grow flex-col gap-6 overflow-y-auto px-4 py-4">
        <Section title={t('Step {step} of {steps}', { step: moment.step, steps })}>
          <p className="text-sm first-letter:uppercase">{standing(conversation, now)}</p>
          {inspects && <MachinePicture conversation={conversation} />}
          <p className="mt-2 text-faint text-xs">{reply?.author ?? run.agent}</p>
        </Section>
        {inspects && reply && <ModelCall reply={reply} />}
        {cards.length > 0 && (
          <Section title={t('{count, plural, one {Call} other {Calls}}', { count: cards.length })}>
            <ul className="flex flex-col gap-2">
              {cards.map(
                (item) => 'card' in item && <CallThen key={item.key} id={props.id} card={item.card} now={now} />,
              )}
            </ul>
          </Section>
        )}
        <Missing replayed={replayed} reply={reply} shown={calls.length} />
      </div>
    </PastContext>
  );
}

function ModelCall({ reply }: { reply: Message }) {
  const { createdAt, completedAt, usage, text, failedAttempts = [], status } = reply;
  const { cachedInputTokens, cacheWriteTokens, savedMicrodollars, reasoningTokens } = usage ?? {};
  const files = filesOfMessage(reply);
  return (
    <Section title={t('Model call')}>
      <dl className="grid grid-cols-[4.5rem_1fr] gap-x-3 gap-y-1.5 text-xs">
        <Fact name={t('asked')}>
          <Moment at={createdAt} seconds />
        </Fact>
        {reply.model && <Fact name={t('model')}>{answeredBy(reply)}</Fact>}
        {failedAttempts.length > 0 && (
          <Fact name={t('failed')}>{failedAttempts.map(({ error }) => error).join(' · ')}</Fact>
        )}
        {completedAt && <Fact name={t('took')}>{span(Date.parse(completedAt) - Date.parse(createdAt))}</Fact>}
        {usage && (
          <>
            <Fact name={t('request')}>
              {listed(
                t('{count} tokens', { count: count(usage.inputTokens) }),
                cachedInputTokens !== undefined && t('{count} from the cache', { count: count(cachedInputTokens) }),
                cacheWriteTokens !== undefined && t('{count} written to it', { count: count(cacheWriteTokens) }),
              )}
            </Fact>
            <Fact name={t('reply')}>
              {listed(
                t('{count} tokens', { count: count(usage.outputTokens) }),
                reasoningTokens !== undefined && t('{count} of them reasoning', { count: count(reasoningTokens) }),
              )}
            </Fact>
            <Fact name={t('cost')}>
              {listed(
                costWords(usage.costMicrodollars, usage),
                savedMicrodollars !== undefined && t('{saved} by the cache', { saved: savedWords(savedMicrodollars) }),
              )}
            </Fact>
          </>
        )}
        <Fact name={t('text')}>
          {status === 'streaming' ? (
            t('not complete at this moment')
          ) : text.trim() ? (
            <span className="block whitespace-pre-wrap text-ink [overflow-wrap:anywhere]">{text.trim()}</span>
          ) : (
            t('none')
          )}
        </Fact>
        {files.length > 0 && (
          <Fact name={t('files')}>
            {files.map((file) => `${seenName(file.filename)}, ${sizeWords(file.size)}`).join(' · ')}
          </Fact>
        )}
      </dl>
    </Section>
  );
}

const listed = (...parts: (string | false)[]): string => parts.filter(Boolean).join(', ');

function CallThen({ id, card, now }: { id: string; card: CallCard; now: number }) {
  const { inspects } = useInspect();
  const { Icon, tone, words } = looksOf(seenBy(useVigil().me, card.state, now), now);
  return (
    <li className="rounded-xl border border-line bg-raised text-sm">
      <p className="flex flex-wrap items-center gap-x-2 px-3 py-2">
        <Icon aria-hidden className={`size-4 shrink-0 ${tone}`} />
        <span className="min-w-0 truncate font-medium">{inspects ? card.call.tool : toolWords(card.call)}</span>
        <span className={`ml-auto text-xs ${tone}`}>{words}</span>
      </p>
      <div className="[&>dl]:sm:grid-cols-1">
        <CallDetails id={id} card={card} />
      </div>
    </li>
  );
}

/** A conversation that is read as a whole has its latest calls, as many as fit. */
function Missing({ replayed, reply, shown }: { replayed: Replayed; reply?: Message; shown: number }) {
  const missing = (reply?.usage?.toolCalls ?? 0) - shown;
  if (missing <= 0 || replayed.rows.calls.some(({ status }) => status === 'queued')) return null;
  return (
    <p className="text-faint text-xs">
      {t(
        '{count, plural, one {One call of this step is too long ago: the page gets the latest calls only.} other {# calls of this step are too long ago: the page gets the latest calls only.}}',
        { count: missing },
      )}
    </p>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 text-muted tabular-nums [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}
