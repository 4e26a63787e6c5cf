import type { ReactNode } from 'react';
import type { DecisionMade } from 'vigil-client/shared';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { Moment } from '../ui/moment';
import { personName } from '../words/person';

interface MadeProps {
  made: DecisionMade;
  /** It was about the form of a server. */
  isForm?: boolean;
  /** What was approved, where that is shown. */
  children?: ReactNode;
}

/** One person's decision: who, when, and how. */
export function Made({ made, isForm, children }: MadeProps) {
  const { me } = useVigil();
  const { by, at, inPlaceOf, via, changed } = made;
  return (
    <>
      {isForm ? sentWords(made, by === me.user) : decidedWords(made, by === me.user)}
      {inPlaceOf &&
        ` ${inPlaceOf === me.user ? t('in the place of you') : t('in the place of {name}', { name: personName(inPlaceOf) })}`}
      {via === 'notification' && ` ${t('from a notification')}`}
      {at && (
        <>
          , <Moment at={at} />
        </>
      )}
      {children || (changed && `, ${t('with changes')}`)}
    </>
  );
}

function sentWords({ approved, ...made }: DecisionMade, isMe: boolean): string {
  const name = personName(made.by, made.name);
  if (approved) return isMe ? t('Sent by you') : t('Sent by {name}', { name });
  return isMe ? t('Declined by you') : t('Declined by {name}', { name });
}

function decidedWords({ approved, question, ...made }: DecisionMade, isMe: boolean): string {
  const name = personName(made.by, made.name);
  if (approved) return isMe ? t('Approved by you') : t('Approved by {name}', { name });
  if (question) return isMe ? t('Given back by you') : t('Given back by {name}', { name });
  return isMe ? t('Denied by you') : t('Denied by {name}', { name });
}
