import { clsx } from 'clsx';
import { hueOf, initials } from './who';

interface FaceProps {
  user: string;
  name: string;
  /** They see the conversation now. */
  isHere?: boolean;
  isSmall?: boolean;
  className?: string;
}

/** A person: their initials in a colour of their own. The name stands beside it, or is in a label around it. */
export const Face = ({ user, name, isHere, isSmall, className }: FaceProps) => (
  <span aria-hidden title={name} className={clsx('relative inline-flex shrink-0', className)}>
    <span
      className={clsx(
        // No text: the name in the label around it need not contain initials.
        'grid place-items-center rounded-full before:content-[attr(data-initials)] font-semibold text-white leading-none forced-colors:border',
        isSmall ? 'size-4 text-[0.5rem]' : 'size-6 text-[0.65rem]',
      )}
      data-initials={initials(name)}
      style={{ backgroundColor: `hsl(${hueOf(user)} 42% 33%)` }}
    />
    {isHere && (
      <span className="-right-0.5 -bottom-0.5 absolute size-2 rounded-full bg-good ring-2 ring-page forced-colors:bg-[Highlight]" />
    )}
  </span>
);
