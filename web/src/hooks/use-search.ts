import { useEffect, useRef, useState } from 'react';
import type { Found } from 'vigil-client/shared';
import { wordsOf } from '../words/problem-words';
import { useVigil } from './use-vigil';

/** Waits for the next key before it asks. */
const pauseMs = 250;
const fewestCharacters = 2;
/** The number of hits read without a request for more. */
const enough = 20;

interface Result {
  state: 'none' | 'reading' | 'read';
  found: readonly Found[];
  cursor?: string;
  problem?: string;
}
const nothing: Result = { state: 'none', found: [] };

/** Searches what was said while the user types. Only the answer to the latest words is shown. */
export function useSearch(begun: string) {
  const { act } = useVigil();
  const [words, setWords] = useState(begun);
  const [result, setResult] = useState<Result>(nothing);
  const turn = useRef(0);

  async function read(text: string, before: readonly Found[], from?: string): Promise<void> {
    const mine = turn.current;
    const wanted = before.length + enough;
    let found = before;
    let cursor = from;
    try {
      do {
        const page = await act.search(text, cursor);
        if (mine !== turn.current) return;
        found = withoutRepeats([...found, ...page.found]);
        cursor = page.cursor;
        setResult({ state: cursor && found.length < wanted ? 'reading' : 'read', found, cursor });
      } while (cursor && found.length < wanted);
    } catch (error) {
      if (mine === turn.current) setResult({ state: 'read', found, problem: wordsOf(error) });
    }
  }

  useEffect(() => {
    turn.current += 1;
    const text = words.trim();
    if (text.length < fewestCharacters) return setResult(nothing);
    setResult(({ found }) => ({ state: 'reading', found }));
    const timer = setTimeout(() => void read(text, []), pauseMs);
    return () => clearTimeout(timer);
  }, [words]);

  const { cursor, state } = result;
  return {
    ...result,
    words,
    change: setWords,
    more: state === 'read' && cursor ? () => void read(words.trim(), result.found, cursor) : undefined,
  };
}

/** A conversation that changes during the search may come twice. */
const withoutRepeats = (found: readonly Found[]): Found[] => [
  ...new Map(found.map((one) => [`${one.conversation.id} ${one.seq}`, one])).values(),
];
