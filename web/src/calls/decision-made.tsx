import type { DecisionMade } from 'vigil-client/shared';
import { useVigil } from '../hooks/use-vigil';
import { Moment } from '../ui/moment';

/** One person's decision. */
export function Made({ made: { by, at, approved, inPlaceOf, via, changed, question } }: { made: DecisionMade }) {
  const { me } = useVigil();
  const verb = approved ? 'Approved' : question ? 'Given back' : 'Denied';
  return (
    <>
      {verb} by {by === me.user ? 'you' : by}
      {inPlaceOf && ` in the place of ${inPlaceOf === me.user ? 'you' : inPlaceOf}`}
      {via === 'notification' && ' from a notification'}, <Moment at={at} />
      {changed && ', with changes'}
    </>
  );
}
