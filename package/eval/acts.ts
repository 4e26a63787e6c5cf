import type { Callback, Conversation } from 'vigil-client';
import { asksFor } from 'vigil-client/shared';
import type { User } from '../../test/support/api-client';
import type { Act } from './define';

/** Signs in a person of a group. */
type OfGroup = (group: string) => Promise<User>;
/** Does an act. @throws RequestFailed. */
export type Deed = (user: User, ofGroup: OfGroup) => Promise<unknown>;

/** Returns how an act is done in a conversation as it is now; undefined if what it decides about is not pending. */
export function deedOf(act: Act, { id, callbacks }: Conversation): Deed | undefined {
  if ('says' in act) return (user) => user.say(id, act.says);
  const pending = callbacks.filter(({ status }) => status === 'pending');
  if ('answer' in act)
    return answering(
      id,
      pending.find(({ kind }) => asksFor(kind, 'answer')),
      { answer: act.answer },
    );
  const approvalOf = (tool: string) => pending.find((one) => asksFor(one.kind, 'decision') && one.tool === tool);
  if ('approve' in act)
    return answering(id, approvalOf(act.approve), { approved: true, arguments: act.arguments }, act.group);
  if ('deny' in act) return answering(id, approvalOf(act.deny), { approved: false, reason: act.reason }, act.group);
  return async () => undefined;
}

/** Whether it decides about something that is pending. */
export const isDecision = (act: Act): boolean => 'answer' in act || 'approve' in act || 'deny' in act;

/** Names an act in an error. */
export function actName(act: Act): string {
  const [kind] = Object.keys(act).filter((field) => ['says', 'approve', 'deny', 'answer'].includes(field));
  return kind ? `${kind} ${JSON.stringify((act as unknown as Record<string, unknown>)[kind])}` : 'time passes';
}

const answering = (id: string, callback: Callback | undefined, body: object, group?: string): Deed | undefined =>
  callback && (async (user, ofGroup) => (group ? await ofGroup(group) : user).answer(id, callback.id, body));
