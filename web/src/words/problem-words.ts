import { type Problem, type ProblemType, RequestFailed } from 'vigil-client';
import { wordsOf as englishOf } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { locale, ownLanguage } from '../languages/locale';

/**
 * Returns what is wrong, in the reader's language. The API's own words are English, and say more of a type that is not here, such as a field that
 * is invalid.
 */
export function wordsOf(error: unknown): string {
  const english = englishOf(error);
  if (!(error instanceof RequestFailed) || ownLanguage() === 'en') return english;
  return (error.problem ? ofType(error.problem) : ofStatus(error)) ?? english;
}

function ofType({ type, values: { most, until, who } = {}, limit }: Problem): string | undefined {
  switch (type as ProblemType) {
    case 'urn:vigil:problem:not-signed-in':
      return t('Sign in again.');
    case 'urn:vigil:problem:not-allowed':
      return t('You may not do this.');
    case 'urn:vigil:problem:owner-only':
      return t('You are not the owner of this conversation: only they may do this.');
    case 'urn:vigil:problem:members-only':
      return t('You watch this conversation: ask its owner to make you a member.');
    case 'urn:vigil:problem:not-an-approver':
      return t('You cannot decide about this: other people can.');
    case 'urn:vigil:problem:not-found':
      return t('There is no such thing, or it is not yours.');
    case 'urn:vigil:problem:no-conversation':
      return t('You have no such conversation.');
    case 'urn:vigil:problem:already-answered':
      return t('This has already been answered; the first answer holds.');
    case 'urn:vigil:problem:expired':
      return t('This has expired and can no longer be answered.');
    case 'urn:vigil:problem:withdrawn':
      return t('This was withdrawn and can no longer be answered.');
    case 'urn:vigil:problem:run-not-waiting':
      return t('The run is not waiting. If it has failed, retry it; it then asks again.');
    case 'urn:vigil:problem:agent-busy':
      return t('The agent is working and takes no messages until it is done. Wait, or cancel the run.');
    case 'urn:vigil:problem:too-many-unread':
      return most === undefined
        ? undefined
        : t('The agent has {most} unread messages. Wait until it has read them, or cancel the run.', { most });
    case 'urn:vigil:problem:nothing-to-cancel':
      return t('There is nothing to cancel.');
    case 'urn:vigil:problem:taken-over':
      return who === undefined ? undefined : t('{who} has taken this conversation over.', { who });
    case 'urn:vigil:problem:not-retriable':
      return t('This run cannot be retried. Send a message instead.');
    case 'urn:vigil:problem:model-asks-to-wait':
      return until === undefined
        ? undefined
        : t('The server of the model asks to wait until {time}.', { time: timeOf(until) });
    case 'urn:vigil:problem:timer-over':
      return t('The timer is over.');
    case 'urn:vigil:problem:timer-fires-once':
      return t('The timer fires once: change its time instead.');
    case 'urn:vigil:problem:timer-in-code':
      return t('The agent’s code declares this schedule: it is changed there.');
    case 'urn:vigil:problem:not-offered':
      return t('This conversation is not offered to you.');
    case 'urn:vigil:problem:owner-has-run':
      return t('Its agents still work for its owner: wait until the run is over, or cancel it.');
    case 'urn:vigil:problem:owner-has-timers':
      return t('It has timers of its owner: cancel them first.');
    case 'urn:vigil:problem:owner-has-too-much':
      return t('It has too many versions and tasks of sub-agents to be handed over: delete some of them first.');
    case 'urn:vigil:problem:owner-has-files':
      return t('It has files, which belong to its owner: a conversation with files stays theirs.');
    case 'urn:vigil:problem:too-many-versions':
      return most === undefined
        ? undefined
        : t('A shared conversation has at most {most} versions. Delete some of them first.', { most });
    case 'urn:vigil:problem:too-many-links':
      return most === undefined ? undefined : t('This conversation has {most} links. Revoke one first.', { most });
    case 'urn:vigil:problem:too-many-ignored':
      return most === undefined ? undefined : t('You ignore {most} people and conversations. End one first.', { most });
    case 'urn:vigil:problem:too-many-devices':
      return most === undefined ? undefined : t('You have {most} devices. Remove one, and register again.', { most });
    case 'urn:vigil:problem:grants-ended':
      return t('You have ended the grants of all sign-ins. Sign in again to grant this.');
    case 'urn:vigil:problem:bytes-missing':
      return t('The file has not arrived. Upload it again.');
    case 'urn:vigil:problem:unreadable-row':
      return t('A part of the record cannot be read. You can cancel the run, and delete the conversation.');
    case 'urn:vigil:problem:too-large':
      return t('This is too large.');
    case 'urn:vigil:problem:limit-reached':
      return limit && ofLimit(limit);
    case 'urn:vigil:problem:internal':
      return t('Internal error. Try again; nothing was left half-done.');
    case 'urn:vigil:problem:misconfigured':
      return undefined;
    case 'urn:vigil:problem:busy':
      return t('The conversation keeps changing. Try again.');
    case 'urn:vigil:problem:no-capacity':
      return t('Vigil has no capacity at the moment. Try again.');
    case 'urn:vigil:problem:wrong-state':
    case 'urn:vigil:problem:invalid-input':
    case 'urn:vigil:problem:not-json':
      return undefined;
  }
}

/** The exact figures, because a limit is exact. Bytes are digits, which the words about uploads turn into sizes. */
function ofLimit(limit: NonNullable<Problem['limit']>): string | undefined {
  const [used, most] = [limit.used.toLocaleString(locale()), limit.most.toLocaleString(locale())];
  switch (limit.name) {
    case 'runs':
      return t('You have {used} of {most} active runs. Wait until one has ended, or cancel one.', { used, most });
    case 'subAgents':
      return t('You have {used} of {most} active sub-agents. Wait until one has ended.', { used, most });
    case 'conversations':
      return t('You have {used} of {most} conversations. Delete one that is no longer needed.', { used, most });
    case 'timers':
      return t('You have {used} of {most} open timers. Cancel one.', { used, most });
    case 'files':
      return t('You have {used} of {most} files. Delete conversations that are no longer needed.', { used, most });
    case 'fileBytes':
      return t('Your files have {used} bytes of at most {most}. Delete conversations that are no longer needed.', {
        used: String(limit.used),
        most: String(limit.most),
      });
    case 'dayFileBytes':
      return t('Your files of today have {used} bytes of at most {most}. Wait a day.', {
        used: String(limit.used),
        most: String(limit.most),
      });
    case 'connections':
      return t('You have {used} of {most} open connections. Close a page.', { used, most });
    default:
      return undefined;
  }
}

/** What has no problem details comes from the gateway, or from the client if nothing answered. */
function ofStatus({ status }: RequestFailed): string | undefined {
  if (status === 0) return t('Vigil does not respond.');
  if (status === 401) return t('Sign in again.');
  if (status === 413) return t('This is too large.');
  if (status === 429 || status >= 500) return t('Vigil has no capacity at the moment. Try again.');
  return undefined;
}

const timeOf = (iso: string | number): string =>
  new Date(iso).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' });
