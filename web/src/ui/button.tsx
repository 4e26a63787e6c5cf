import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

const looks = {
  plain: 'border border-line bg-raised text-ink hover:border-faint',
  strong: 'bg-fill text-white hover:bg-fill-strong',
  quiet: 'text-muted hover:bg-line/60 hover:text-ink',
  danger: 'border border-bad/40 bg-raised text-bad hover:bg-bad-ground',
} as const;

export interface ButtonProps extends ComponentProps<'button'> {
  look?: keyof typeof looks;
  /** Square, for an icon. Needs an `aria-label`. */
  icon?: boolean;
}

export function Button({ look = 'plain', icon, className, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={clsx(
        'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-lg text-sm font-medium transition-colors',
        'disabled:pointer-events-none disabled:opacity-45',
        icon ? 'size-8' : 'h-8 px-3',
        looks[look],
        className,
      )}
      {...rest}
    />
  );
}
