import { useEffect, useMemo, useRef, useState } from 'react';
import { asksFor } from 'vigil-client/shared';
import { type Shown, useNow, useVigil, useVigilState } from '../hooks/use-vigil';
import { usePeople } from '../members/use-people';
import { mayDecide } from '../rows/deciders';
import { openToPeople } from '../rows/transcript';
import { announceable, askedWords, newWords } from '../words/announce';
import { forPeople } from '../words/end-phrase';

/**
 * Announces to screen readers: new sentences of a reply when the reader is idle, and decisions at once. The transcript is
 * not a live region, because it would be read from the start whenever its Markdown changes.
 *
 * Rendered after the conversation has been read, so existing messages are not announced.
 */
export function Announcer({ conversation }: { conversation: Shown }) {
  const { me } = useVigil();
  const people = usePeople();
  const agents = useVigilState((state) => state.agents);
  const { messages: all, role } = conversation;
  const messages = useMemo(
    () => all.map((one) => ({ ...one, text: announceable({ ...one, text: forPeople(one, agents) }) })),
    [all, agents],
  );
  // Per message, because a reply may go on growing after a later message has begun.
  const heard = useRef(new Map(messages.map(({ seq, text }) => [seq, text.length])));
  const [said, setSaid] = useState<Said[]>([]);
  useEffect(() => {
    const words = messages.flatMap((message) => {
      const { seq, text } = message;
      const length = heard.current.get(seq) ?? 0;
      if (length === text.length) return [];
      heard.current.set(seq, text.length);
      const other = message.role === 'user' && people?.all.find(({ user, isMe }) => user === message.author && !isMe);
      return (other ? `${other.name}: ${text}` : newWords(message, { seq, length })) || [];
    });
    if (words.length > 0) setSaid((before) => [...before, next(before, words.join(' '))].slice(-kept));
  }, [messages]);
  const now = useNow();
  const asked = openToPeople(conversation)
    .filter((callback) =>
      asksFor(callback.kind, 'answer') ? role !== 'watcher' : mayDecide(callback, me, role === undefined, now),
    )
    .map(askedWords);
  return (
    <div className="sr-only">
      <div aria-live="polite">
        {said.map(({ nth, text }) => (
          <p key={nth}>{text}</p>
        ))}
      </div>
      <p aria-live="assertive">{asked.join(' ')}</p>
    </div>
  );
}

interface Said {
  nth: number;
  text: string;
}

/** Texts are added one after the other. If they replaced each other, a reader would miss all but the last. */
const kept = 5;
const next = (before: Said[], text: string): Said => ({ nth: (before.at(-1)?.nth ?? 0) + 1, text });
