import { memo } from 'react';
import { CallCardView } from '../calls/call-card';
import { FoldedCalls } from '../calls/folded-calls';
import type { Fold } from '../rows/folds';
import type { ReadBy } from '../rows/read-by';
import type { Item } from '../rows/transcript';
import type { Place } from '../rows/version-places';
import { AgentMessage, Speaker } from './agent-message';
import { Delivered, HandOff, Note, Summary } from './note-lines';
import { RecalledLine } from './recalled-line';
import { UserMessage } from './user-message';
import { VersionArrows } from './version-arrows';

export interface ItemViewProps {
  /** The conversation's id. */
  id: string;
  item: Item | Fold;
  /** For a user's message: the step that read it. */
  from?: ReadBy;
  /** For a reply: whether its calls follow. */
  hasCalls?: boolean;
  /** For a reply: whether nothing follows when it is first shown. */
  isLatest?: boolean;
  /** At a place that has other versions. */
  place?: Place;
}

/**
 * One item of the transcript. Each new sentence recreates all items, so an item is rendered again only if its rows have
 * changed.
 */
export const ItemView = memo(
  function ItemView(props: ItemViewProps) {
    const { id, item, place } = props;
    return (
      <>
        <Shown {...props} />
        {place && item.kind !== 'said' && item.kind !== 'answer' && <VersionArrows id={id} {...place} />}
      </>
    );
  },
  (before, now) => {
    const [old, rows] = [partsOf(before), partsOf(now)];
    return old.length === rows.length && old.every((one, index) => one === rows[index]);
  },
);

function Shown({ id, item, from, hasCalls, isLatest, place }: ItemViewProps) {
  switch (item.kind) {
    case 'said':
      return <UserMessage id={id} message={item.message} from={from} place={place} />;
    case 'unsent':
      return <UserMessage id={id} unsent={item.unsent} />;
    case 'answer':
      return <AgentMessage id={id} message={item.message} hasCalls={hasCalls} isLatest={isLatest} place={place} />;
    case 'speaker':
      return <Speaker author={item.author} at={item.at} />;
    case 'call':
      return <CallCardView id={id} card={item.card} />;
    case 'calls':
      return <FoldedCalls id={id} cards={item.cards} />;
    case 'hand-off':
      return <HandOff card={item.card} to={item.to} />;
    case 'delivered':
      return <Delivered message={item.message} />;
    case 'note':
      return <Note message={item.message} />;
    case 'summary':
      return (
        <>
          <Summary message={item.message} />
          <RecalledLine id={id} message={item.message} />
        </>
      );
  }
}

function partsOf({ id, item, from, hasCalls, place }: ItemViewProps): unknown[] {
  const all = [id, item.kind, from?.runId, from?.step, hasCalls, place?.versions];
  switch (item.kind) {
    case 'call':
    case 'hand-off':
      return [
        ...all,
        item.card.call,
        item.card.callback,
        item.card.note,
        item.card.state.is === 'timed' && item.card.state.timer,
      ];
    case 'calls':
      return [...all, ...item.cards.flatMap(({ call, callback }) => [call, callback])];
    case 'speaker':
      return [...all, item.author, item.at];
    case 'unsent':
      return [...all, item.unsent];
    default:
      return [...all, item.message];
  }
}
