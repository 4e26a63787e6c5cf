import type { ReactNode } from 'react';
import type { DecisionMade } from 'vigil-client/shared';
import { useVigil } from '../hooks/use-vigil';
import { Moment } from '../ui/moment';

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
  const name = (user: string) => (user === me.user ? 'you' : user);
  return (
    <>
      {isForm ? verbOfForm(made) : verbOf(made)} by {name(by)}
      {inPlaceOf && ` in the place of ${name(inPlaceOf)}`}
      {via === 'notification' && ' from a notification'}
      {at && (
        <>
          , <Moment at={at} />
        </>
      )}
      {children || (changed && ', with changes')}
    </>
  );
}

const verbOfForm = ({ approved }: DecisionMade): string => (approved ? 'Sent' : 'Declined');
const verbOf = ({ approved, question }: DecisionMade): string =>
  approved ? 'Approved' : question ? 'Given back' : 'Denied';
