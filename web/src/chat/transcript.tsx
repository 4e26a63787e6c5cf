import { ArrowDown } from 'lucide-react';
import { useMemo } from 'react';
import { useStickToBottom } from 'use-stick-to-bottom';
import { useShallow } from 'zustand/react/shallow';
import { CallCardView } from '../calls/call-card';
import { type Item, type Shown as Rows, transcript } from '../state/transcript';
import { type Shown, useVigilState } from '../state/use-vigil';
import { Button } from '../ui/button';
import { AgentMessage, Speaker } from './agent-message';
import { Delivered, HandOff, Note, Summary } from './note-lines';
import { UserMessage } from './user-message';

const nothing: Rows = { messages: [], calls: [], callbacks: [] };

/** The log. It keeps to its end while one reads there, and stays where one has scrolled to. */
export function Transcript({ id, conversation }: { id: string; conversation: Shown | undefined }) {
  const unsent = useVigilState(
    useShallow(({ outbox }) => outbox.filter(({ conversationId }) => conversationId === id)),
  );
  const items = useMemo(() => transcript(conversation ?? nothing, unsent), [conversation, unsent]);
  const { scrollRef, contentRef, isAtBottom, scrollToBottom } = useStickToBottom({
    initial: 'instant',
    resize: { damping: 0.85, stiffness: 0.12, mass: 0.8 },
  });
  return (
    <div className="relative min-h-0 grow">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard, too. */}
      <section ref={scrollRef} aria-label="Messages" tabIndex={0} className="h-full overflow-y-auto -outline-offset-2">
        <div ref={contentRef} className="mx-auto flex max-w-[46rem] flex-col gap-2.5 px-4 pt-6 pb-4">
          {items.map((item) => (
            <ItemView key={item.key} id={id} item={item} />
          ))}
        </div>
      </section>
      {!isAtBottom && (
        <Button
          icon
          aria-label="To the latest"
          onClick={() => void scrollToBottom()}
          className="-translate-x-1/2 absolute bottom-3 left-1/2 rounded-full shadow-md"
        >
          <ArrowDown aria-hidden className="size-4" />
        </Button>
      )}
    </div>
  );
}

function ItemView({ id, item }: { id: string; item: Item }) {
  switch (item.kind) {
    case 'said':
      return <UserMessage message={item.message} />;
    case 'unsent':
      return <UserMessage unsent={item.unsent} />;
    case 'answer':
      return <AgentMessage id={id} message={item.message} />;
    case 'speaker':
      return <Speaker author={item.author} at={item.at} />;
    case 'call':
      return <CallCardView id={id} card={item.card} />;
    case 'hand-off':
      return <HandOff card={item.card} to={item.to} />;
    case 'delivered':
      return <Delivered message={item.message} />;
    case 'note':
      return <Note message={item.message} />;
    case 'summary':
      return <Summary message={item.message} />;
  }
}
