import { clsx } from 'clsx';
import { Keyboard } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { WaitingApproval } from 'vigil-client';
import { useApprovals } from 'vigil-client/react';
import { asksFor } from 'vigil-client/shared';
import { showDialog } from '../actions/page-dialog';
import { approvalPlace, beginDraft } from '../calls/approval-draft';
import { goTo } from '../hooks/use-place';
import { useVigil, useVigilState } from '../hooks/use-vigil';
import { withoutSnoozed } from '../kept/snoozed';
import { t } from '../languages/catalogue';
import { hasApprovers } from '../rows/deciders';
import { isTakenByOther, isTakeOver } from '../rows/take-over';
import { nowIn } from '../state/now';
import { Button } from '../ui/button';
import { Late, lazily } from '../ui/late';
import type { DecideTogetherProps } from './decide-together';
import { InboxItem, type ItemActions, itemSelector } from './inbox-item';
import { SelectionBar } from './selection-bar';
import { actionOf, type InboxAction, takesKeys } from './shortcuts';
import type { SnoozeProps } from './snooze';
import { isApproval, isQuestion, rangeOf, together, type Verdict } from './together';

const DecideTogether = lazily<'DecideTogether', DecideTogetherProps>(
  () => import('./decide-together'),
  'DecideTogether',
);
const Snooze = lazily<'Snooze', SnoozeProps>(() => import('./snooze'), 'Snooze');

export interface InboxProps {
  items: readonly WaitingApproval[];
  /** They are put off, and only looked at. */
  isSnoozed: boolean;
  isNew: (one: WaitingApproval) => boolean;
}

/** A longer list begins with lines instead of forms. */
const mostForms = 5;

/**
 * Tells which items begin as lines: those that came to a longer list. An item stays as it began, whatever comes or goes: the user may be
 * writing in it.
 */
function useFoldedAtFirst(items: readonly WaitingApproval[]): (id: string) => boolean {
  const began = useRef(new Map<string, boolean>());
  for (const { callback } of items)
    if (!began.current.has(callback.id)) began.current.set(callback.id, items.length > mostForms);
  return (id) => began.current.get(id) ?? false;
}

/** What is open above the list. */
type Above = { is: 'snooze'; items: WaitingApproval[] } | { is: Verdict; items: WaitingApproval[] };

/** What needs the user: decided one by one, or several together, by hand or by keys. */
export function Inbox({ items, isSnoozed, isNew }: InboxProps) {
  const { me, store } = useVigil();
  const snoozed = useVigilState((state) => state.snoozed);
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string>();
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [isLong] = useState(items.length > mostForms);
  const isFoldedAtFirst = useFoldedAtFirst(items);
  const [above, setAbove] = useState<Above>();
  const title = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  /** The place of the last current item, and of the last one that was selected. */
  const place = useRef({ at: 0, selected: undefined as string | undefined });

  const { approvals: waiting } = useApprovals();
  const waits = useMemo(() => new Set(waiting.map(({ callback }) => callback.id)), [waiting]);
  const held = useVigilState((state) => state.held);
  const isDue = (one: string) => waits.has(one) && !held.has(one);
  // Keys and boxes pass over what is settled.
  const ids = items.map(({ callback }) => callback.id).filter((one) => waits.has(one));
  const at = ids.indexOf(current ?? '');
  if (at >= 0) place.current.at = at;
  const selected = items.filter(({ callback: { id } }) => selection.has(id) && isDue(id));
  const isOpen = (one: string) => folds.get(one) ?? !isFoldedAtFirst(one);
  const focus = (one: string | undefined) => {
    const element = one && list.current?.querySelector<HTMLElement>(itemSelector(one));
    if (element) element.focus();
    else title.current?.focus();
  };

  const select = (one: string, toThere: boolean) => {
    const isOn = !selection.has(one);
    const some = toThere ? rangeOf(ids, place.current.selected, one) : [one];
    place.current.selected = one;
    const next = new Set(selection);
    for (const each of some) isOn ? next.add(each) : next.delete(each);
    setSelection(next);
  };
  const snooze = (one: string) =>
    setAbove({ is: 'snooze', items: items.filter(({ callback }) => callback.id === one) });
  // The items get the same functions each time, or all of them would be rendered again.
  const latest = useRef({ select, snooze });
  latest.current = { select, snooze };
  const unfold = (one: string, open: boolean) => setFolds((before) => new Map(before).set(one, open));
  const actions = useMemo<ItemActions>(
    () => ({
      select: (one, toThere) => latest.current.select(one, toThere),
      snooze: (one) => latest.current.snooze(one),
      unfold,
      bringBack: (one) => store.setState((state) => ({ snoozed: withoutSnoozed(state.snoozed, one) })),
      focused: setCurrent,
    }),
    [store],
  );

  const cardOf = (one: string) => list.current?.querySelector(itemSelector(one));

  /** Opens the field in which an item is changed, denied or answered, and puts the focus there. */
  function write({ conversationId, callback }: WaitingApproval, does: 'edit' | 'deny'): void {
    const draftPlace = approvalPlace(conversationId, callback);
    flushSync(() => {
      unfold(callback.id, true);
      if (!asksFor(callback.kind, 'answer')) beginDraft(store, draftPlace, does);
    });
    cardOf(callback.id)?.querySelector<HTMLElement>('form :is(input, textarea, select)')?.focus();
  }

  /** Leads into a conversation that the user has taken over, or to the button that takes it. No key alone takes it, and nothing is approved. */
  function open({ conversationId, callback }: WaitingApproval): void {
    if (callback.assigned?.to === me.user) goTo(conversationId);
    else {
      flushSync(() => unfold(callback.id, true));
      cardOf(callback.id)?.querySelector<HTMLElement>('[data-take-over] button')?.focus();
    }
  }

  /** Does what a key asks for. @returns whether the key was for this list. */
  function act(action: InboxAction, target: Element | null): boolean {
    switch (action) {
      case 'next':
      case 'previous': {
        const last = ids.length - 1;
        // What comes after one that is gone has taken its place.
        const to = (at < 0 ? place.current.at - 1 : at) + (action === 'next' ? 1 : at < 0 ? 0 : -1);
        if (last >= 0) focus(ids[Math.min(Math.max(to, 0), last)]);
        return last >= 0;
      }
      case 'clear':
        setSelection(new Set());
        return selected.length > 0;
      case 'snooze':
        if (selected.length === 0) break;
        setAbove({ is: 'snooze', items: selected });
        return true;
    }
    const item = items.find(({ callback }) => callback.id === current);
    if (!item || isSnoozed) return false;
    const one = item.callback.id;
    // A key that is pressed twice decides nothing more.
    if (!isDue(one)) return false;
    // Nobody decides about what they may have scrolled away.
    if (!cardOf(one)?.contains(document.activeElement)) {
      focus(one);
      return true;
    }
    switch (action) {
      case 'snooze':
        setAbove({ is: 'snooze', items: [item] });
        return true;
      case 'select':
        select(one, false);
        return true;
      case 'open':
        // Enter on a button presses that button.
        if (target?.closest('a, button, input, label, summary')) return false;
        if (isTakeOver(item)) open(item);
        else if (item.owner === me.user) goTo(item.conversationId);
        else unfold(one, true);
        return true;
      case 'approve':
        if (isTakeOver(item)) return false;
        // A question is answered, and a form is filled in.
        if (isQuestion(item) || item.callback.asker) write(item, 'edit');
        else if (isOpen(one)) cardOf(one)?.querySelector('form')?.requestSubmit();
        // What needs its own form is unfolded, and then shows what is approved.
        else if (together([item], 'approve', store.getState().drafts, nowIn(store.getState())).left.length > 0)
          unfold(one, true);
        else setAbove({ is: 'approve', items: [item] });
        return true;
      default:
        if (isTakeOver(item)) {
          if (action === 'edit') open(item);
          return action === 'edit';
        }
        write(item, action === 'deny' && !isQuestion(item) ? 'deny' : 'edit');
        return true;
    }
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const action = actionOf(event);
    if (!action || document.querySelector('dialog[open], [role=menu]')) return;
    const target = event.target instanceof Element ? event.target : null;
    if (takesKeys(target)) {
      const isOwn = list.current?.contains(target);
      const isEmptyMessage = target instanceof HTMLTextAreaElement && target.value === '';
      if (action === 'clear' && (isOwn || isEmptyMessage)) focus(ids[Math.max(at, 0)]);
      return;
    }
    if (act(action, target)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);

  const approvals = selected.filter(isApproval);
  const assignable = selected.filter(
    (one) => !isQuestion(one) && !isTakenByOther(one, me.user) && hasApprovers(one.callback, nowIn(store.getState())),
  );
  const due = ids.filter(isDue);
  const isAll = selected.length > 0 && selected.length === due.length;
  return (
    <section aria-labelledby={id} className="mt-6">
      <div className="mb-1 flex items-center gap-2">
        {!isSnoozed && items.length > 1 && (
          <label className="ml-1.5 grid size-8 shrink-0 cursor-pointer place-items-center pointer-coarse:size-11">
            <input
              type="checkbox"
              aria-label={t('Select all')}
              checked={isAll}
              ref={(box) => {
                if (box) box.indeterminate = selected.length > 0 && !isAll;
              }}
              onChange={() => setSelection(new Set(isAll ? [] : due))}
              className="size-4 accent-(--fill)"
            />
          </label>
        )}
        <h2 ref={title} tabIndex={-1} id={id} className="grow font-semibold text-muted text-xs outline-none">
          {isSnoozed ? t('Snoozed') : t('Needs you')}
        </h2>
        <Button
          look="quiet"
          className="h-7 px-2 text-xs pointer-coarse:hidden"
          onClick={() => showDialog({ is: 'keys' })}
          aria-label={t('Show the keys')}
        >
          <Keyboard aria-hidden className="size-4" /> ?
        </Button>
      </div>
      <ul ref={list} aria-labelledby={id} className={clsx('flex flex-col', isLong ? 'gap-1.5' : 'gap-3')}>
        {items.map((item) => {
          const one = item.callback.id;
          return (
            <InboxItem
              key={one}
              item={item}
              isNew={!isSnoozed && isNew(item)}
              isSelected={selection.has(one)}
              isCurrent={one === current}
              isOpen={isOpen(one)}
              until={isSnoozed ? snoozed.get(one) : undefined}
              isGone={!waits.has(one)}
              actions={actions}
            />
          );
        })}
      </ul>
      {selected.length > 0 && (
        <SelectionBar
          count={selected.length}
          approvals={approvals.length}
          none={() => setSelection(new Set())}
          assignable={assignable.length}
          choose={(is) =>
            is === 'assign'
              ? showDialog({ is, items: assignable, opener: title, done: () => setSelection(new Set()) })
              : setAbove({ is, items: selected })
          }
        />
      )}
      {above && (
        <Late>
          {above.is === 'snooze' ? (
            <Snooze
              items={above.items}
              opener={title}
              close={() => setAbove(undefined)}
              done={() => setSelection(new Set())}
            />
          ) : (
            <DecideTogether verdict={above.is} items={above.items} opener={title} close={() => setAbove(undefined)} />
          )}
        </Late>
      )}
    </section>
  );
}
