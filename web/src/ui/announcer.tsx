import { useEffect, useRef, useState } from 'react';
import { newWords } from '../state/announce';
import { openToPeople } from '../state/transcript';
import type { Shown } from '../state/use-vigil';

/**
 * What a screen reader says: new words of an answer when it has a pause, and at once what has to be decided. The transcript
 * itself is no live region, since it would be read again from the start whenever its Markdown changes.
 *
 * Rendered once the conversation has been read: what was there then is read by whoever wants to.
 */
export function Announcer({ conversation }: { conversation: Shown }) {
  const { messages } = conversation;
  // Of each message: an answer goes on being written when something else was said after its beginning.
  const heard = useRef(new Map(messages.map(({ seq, text }) => [seq, text.length])));
  const [said, setSaid] = useState<Said[]>([]);
  useEffect(() => {
    const words = messages.flatMap((message) => {
      const { seq, text } = message;
      const length = heard.current.get(seq) ?? 0;
      if (length === text.length) return [];
      heard.current.set(seq, text.length);
      return newWords(message, { seq, length }) || [];
    });
    if (words.length > 0) setSaid((before) => [...before, next(before, words.join(' '))].slice(-kept));
  }, [messages]);
  const asked = openToPeople(conversation).map(({ kind, prompt }) => `${asks[kind]}: ${prompt}`);
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

/** What replaced the words before would be all that is heard where two come in one pause: they are added one after the other. */
const kept = 5;
const next = (before: Said[], text: string): Said => ({ nth: (before.at(-1)?.nth ?? 0) + 1, text });

const asks: Record<string, string> = { approval: 'Your approval is needed', question: 'You are asked' };
