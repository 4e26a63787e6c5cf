import type { ModelRequest } from '../../core/conversations/agent/model';
import { defineGuard } from '../../core/conversations/guards/guard';
import type { Row } from './memory-table';
import type { Broken } from './promises';

// Some deployments have a guard of messages and replies. What it decides depends on the words alone, so all requests and rows can be held
// against it.

/** The user's words that no model is to read: those of the first are replaced, those of the second are withheld. */
const hidden = /^Word \d*[13579]$/;
const withheld = /^Word \d*[48]$/;
/** Words of replies that nobody is to read. */
const unsaid = 'Done 2.';
const unsayable = 'Done 3.';

export const explored = defineGuard({
  name: 'explored',
  at: ['input', 'output'],
  check(words, { at }) {
    if (at === 'input' && withheld.test(words)) return { refuse: 'That is not passed on.' };
    if (at === 'input') return hidden.test(words) ? { replace: 'A word' } : 'pass';
    if (words.includes(unsayable)) return { refuse: 'That is not said.' };
    return words.includes(unsaid) ? { replace: words.replaceAll(unsaid, 'Finished.') } : 'pass';
  },
});

/** Returns the user's words in a request that its agent's guard keeps from models. */
export const unheardIn = ({ agent, items }: Pick<ModelRequest, 'agent' | 'items'>): string[] =>
  items.flatMap((item) => {
    if (!agent.guards?.length || item.kind !== 'message' || item.by !== 'user') return [];
    return [hidden, withheld].some((words) => words.test(item.text)) ? [item.text] : [];
  });

/** What was replaced or refused before a person could read it is in no row. */
export function shownAnyway(rows: readonly Row[]): Broken[] {
  return rows.flatMap(({ pk, sk, text }) => {
    const found = [unsaid, unsayable].find((words) => String(text ?? '').includes(words));
    return found && (sk.startsWith('M#') || sk.startsWith('PIECE#')) ? [`${sk} in ${pk} has "${found}".`] : [];
  });
}
