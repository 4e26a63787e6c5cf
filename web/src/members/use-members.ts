import { useState } from 'react';
import type { SetMember } from 'vigil-client/shared';
import { useVigil } from '../hooks/use-vigil';
import { wordsOf } from '../words/problem-words';

/** Changes who is in a conversation. What was refused is said. */
export function useMembers(id: string) {
  const { client, follow } = useVigil();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** @returns whether it worked. */
  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    setBusy(true);
    const wrong = await work().then(() => undefined, wordsOf);
    setProblem(wrong);
    // The answer has less than a read, and a push may be late.
    await follow.read(id);
    setBusy(false);
    return wrong === undefined;
  }
  return {
    busy,
    problem,
    attempt,
    set: (wanted: SetMember) => attempt(() => client.api.setMember(id, wanted)),
    remove: (member: string) => attempt(() => client.api.removeMember(id, member)),
  };
}
