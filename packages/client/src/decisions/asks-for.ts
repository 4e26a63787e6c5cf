import type { Callback } from '../api-types';

type Kind = Callback['kind'];
type Asked = 'decision' | 'answer' | 'take-over';

/** What each kind of callback asks people for, in whose lists it is; undefined if it is not for people. */
const asked: Record<Kind, Asked | undefined> = {
  approval: 'decision',
  question: 'answer',
  person: 'take-over',
  webhook: undefined,
  agent: undefined,
  task: undefined,
  model: undefined,
};

/** Whether a callback of this kind asks people for something. No callback asks for nothing. */
export const asksFor = (kind: Kind | undefined, what: Asked): boolean => asked[kind!] === what;

/** Whether people decide about or answer a callback of this kind, or take the conversation over. */
export const isForPeople = (kind: Kind | undefined): kind is 'approval' | 'question' | 'person' =>
  asked[kind!] !== undefined;
