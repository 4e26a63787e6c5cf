import { useEffect, useRef, useState } from 'react';
import { newWords } from '../state/announce';
import { openToPeople } from '../state/transcript';
import type { Shown } from '../state/use-vigil';

/**
 * What a screen reader says: new words of the answer when it has a pause, and at once what has to be decided. The transcript
 * itself is no live region, since it would be read again from the start whenever its Markdown changes.
 */
export function Announcer({ conversation }: { conversation: Shown | undefined }) {
  const last = conversation?.messages.at(-1);
  // What was there when the conversation was opened is read by whoever wants to.
  const heard = useRef({ seq: last?.seq ?? 0, length: last?.text.length ?? 0 });
  const [words, setWords] = useState('');
  useEffect(() => {
    const next = newWords(last, heard.current);
    if (last) heard.current = { seq: last.seq, length: last.text.length };
    if (next) setWords(next);
  }, [last]);
  const asked = conversation ? openToPeople(conversation).map(({ kind, prompt }) => `${asks[kind]}: ${prompt}`) : [];
  return (
    <div className="sr-only">
      <p aria-live="polite">{words}</p>
      <p aria-live="assertive">{asked.join(' ')}</p>
    </div>
  );
}

const asks: Record<string, string> = { approval: 'Your approval is needed', question: 'You are asked' };
