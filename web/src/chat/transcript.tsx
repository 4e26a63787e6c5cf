import { clsx } from 'clsx';
import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStickToBottom } from 'use-stick-to-bottom';
import { type PeopleState, rootOf } from 'vigil-client/shared';
import { useShallow } from 'zustand/react/shallow';
import { foldPlace, StayHere, setUnfolded } from '../hooks/use-fold';
import { shownMessage, useMessage } from '../hooks/use-place';
import { type Shown, useVigilState } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { SeenBy } from '../members/presence';
import { usePeople } from '../members/use-people';
import { seenAt } from '../members/who';
import { type Versions, versionsIn } from '../rows/branches';
import { type Fold, folded } from '../rows/folds';
import { readBy } from '../rows/read-by';
import { type Item, type Shown as Rows, transcript } from '../rows/transcript';
import { versionPlaces } from '../rows/version-places';
import { Button } from '../ui/button';
import { ItemView } from './item-view';
import { StandstillLines } from './standstill-line';

const nothing: Rows = { messages: [], calls: [], callbacks: [] };
/** The number of items shown at first, and of those added on each request. */
const atOnce = 200;
/** The number of items shown before a message that the user looks for. */
const itemsAbove = 20;

const seqOf = (item: Item | Fold): number | undefined => ('message' in item ? item.message.seq : undefined);

const isCall = (item: Item | Fold | undefined): boolean =>
  item?.kind === 'call' || item?.kind === 'calls' || item?.kind === 'hand-off';

/** The messages and calls. It follows the end while the user reads there, and otherwise keeps its position. */
export function Transcript({
  id,
  conversation,
  reads,
}: {
  id: string;
  conversation: Shown | undefined;
  reads: PeopleState['reads'];
}) {
  const unsent = useVigilState(
    useShallow(({ unsent }) => unsent.filter(({ conversationId }) => conversationId === id)),
  );
  const rows = useMemo(() => transcript(conversation ?? nothing, unsent), [conversation, unsent]);
  const steps = useMemo(() => readBy(conversation?.messages ?? []), [conversation]);
  const branches = useVigilState((state) => state.branches.get(rootOf(conversation ?? { id })));
  const versions = useMemo(() => versionsIn(branches ?? [], id), [branches, id]);
  const places = useMemo(
    () => versionPlaces(rows, conversation?.messages ?? [], versions),
    [rows, conversation, versions],
  );
  const items = useMemo(() => folded(rows, places), [rows, places]);
  const turned = useVigilState((state) => (state.turned?.to === id ? state.turned : undefined));
  const [atMost, setAtMost] = useState(atOnce);
  const shown = items.slice(-atMost);
  const before = items.length - shown.length;
  const people = usePeople();
  const seen = people?.isShared ? seenAt(shown.map(seqOf), people.all, reads) : undefined;
  const { scrollRef, contentRef, isAtBottom, scrollToBottom, stopScroll } = useStickToBottom({
    initial: 'instant',
    resize: { damping: 0.85, stiffness: 0.12, mass: 0.8 },
  });
  const showMore = () => {
    // The user now reads earlier items, not the end.
    stopScroll();
    setAtMost(atMost + atOnce);
  };
  const stay = useCallback(
    (pixels = 0) => {
      stopScroll();
      if (pixels) scrollRef.current?.scrollBy(0, pixels);
    },
    [stopScroll, scrollRef],
  );
  const wanted = useMessage();
  const [found, setFound] = useState<number>();
  const target = useRef<HTMLDivElement>(null);
  const rowWanted = conversation?.messages.find(({ seq }) => seq === wanted);
  const fromEnd = wanted === undefined ? -1 : items.length - items.findIndex((item) => seqOf(item) === wanted);
  useEffect(() => {
    if (wanted === undefined || fromEnd > items.length) return;
    stopScroll();
    setAtMost((most) => Math.max(most, fromEnd + itemsAbove));
    setFound(wanted);
    if (rowWanted) setUnfolded(foldPlace(id, rowWanted), true);
    shownMessage(id);
  }, [id, wanted, rowWanted, fromEnd, items.length, stopScroll]);
  useEffect(() => {
    if (found === undefined) return;
    // The list first scrolls to its end, once it has its height.
    const frame = requestAnimationFrame(() => {
      stopScroll();
      target.current?.scrollIntoView({ block: 'center' });
      target.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [found, stopScroll]);
  useLayoutEffect(() => {
    // Another version is read where the last one was; a new one is followed.
    if (turned?.step) stopScroll();
    else if (turned) void scrollToBottom('instant');
  }, [turned, stopScroll, scrollToBottom]);
  const unsentBefore = useRef(unsent.length);
  useLayoutEffect(() => {
    // What the user sends is in view at once: a late scroll event would stop an animation.
    const list = scrollRef.current;
    if (list && unsent.length > unsentBefore.current) {
      list.scrollTop = list.scrollHeight;
      void scrollToBottom('instant');
    }
    unsentBefore.current = unsent.length;
  }, [unsent, scrollRef, scrollToBottom]);
  return (
    <div className="relative min-h-0 grow">
      <section
        ref={scrollRef}
        aria-label={t('Messages')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        className="h-full overflow-y-auto -outline-offset-2"
      >
        <div ref={contentRef} className="mx-auto flex max-w-[46rem] flex-col gap-2.5 px-4 pt-6 pb-4">
          {before > 0 && (
            <Button look="quiet" className="self-center" onClick={showMore}>
              {before > atOnce
                ? t('Show {count} of {total} earlier items', { count: atOnce, total: before })
                : t('Show {count, plural, one {# earlier item} other {# earlier items}}', { count: before })}
            </Button>
          )}
          <StayHere value={stay}>
            {shown.map((item, index) => (
              <div
                key={item.key}
                {...(found !== undefined && seqOf(item) === found && { ref: target, tabIndex: -1, 'data-found': true })}
                className={clsx(
                  'group/item',
                  found !== undefined && seqOf(item) === found
                    ? '-mx-2 flex flex-col rounded-xl px-2 outline-2 outline-accent outline-offset-4'
                    : 'contents',
                )}
              >
                <ItemView
                  id={id}
                  item={item}
                  isLatest={index === shown.length - 1}
                  hasCalls={item.kind === 'answer' && isCall(shown[index + 1])}
                  place={places.get(item.key)}
                  from={item.kind === 'said' ? steps.get(item.message.seq) : undefined}
                />
                {seen?.has(index) && <SeenBy people={seen.get(index)!} />}
              </div>
            ))}
          </StayHere>
          {conversation && <StandstillLines id={id} stops />}
        </div>
      </section>
      <p role="status" className="sr-only">
        {turned && versionWords(versions.get(turned.seq ?? Math.max(...versions.keys())))}
      </p>
      {!isAtBottom && (
        <Button
          icon
          aria-label={t('Jump to the latest')}
          onClick={() => void scrollToBottom()}
          className="-translate-x-1/2 absolute bottom-3 left-1/2 rounded-full shadow-md"
        >
          <ArrowDown aria-hidden className="size-4" />
        </Button>
      )}
    </div>
  );
}

const versionWords = (versions: Versions | undefined): string =>
  versions ? t('Version {number} of {total}', { number: versions.index + 1, total: versions.ids.length }) : '';
