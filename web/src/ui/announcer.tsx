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
  const [words, setWords] = useState('');
  useEffect(() => {
    const said = messages.flatMap((message) => {
      const { seq, text } = message;
      const length = heard.current.get(seq) ?? 0;
      if (length === text.length) return [];
      heard.current.set(seq, text.length);
      return newWords(message, { seq, length }) || [];
    });
    if (said.length > 0) setWords(said.join(' '));
  }, [messages]);
  const asked = openToPeople(conversation).map(({ kind, prompt }) => `${asks[kind]}: ${prompt}`);
  return (
    <div className="sr-only">
      <p aria-live="polite">{words}</p>
      <p aria-live="assertive">{asked.join(' ')}</p>
    </div>
  );
}

const asks: Record<string, string> = { approval: 'Your approval is needed', question: 'You are asked' };
