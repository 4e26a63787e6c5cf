import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../languages/catalogue';
import { Button } from './button';

export interface TroubleProps {
  title: string;
  problem: string;
  /** Whether nothing else is in this part of the page, whose heading is then its title. */
  isAlone?: true;
  retry?: () => void;
  /** Advice on what to do. */
  children?: ReactNode;
  actions?: ReactNode;
}

/** Shown in place of content that could not be read: what happened, and what to do. */
export function Trouble({ title, problem, isAlone, retry, children, actions }: TroubleProps) {
  const Title = isAlone ? 'h1' : 'h2';
  return (
    <div role="alert" className="grid h-full place-items-center p-8">
      <div className="flex max-w-sm flex-col items-center gap-3 text-center">
        <CircleAlert aria-hidden className="size-6 text-bad" />
        <Title className="font-semibold">{title}</Title>
        <p className="text-sm text-muted">{problem}</p>
        {children && <p className="text-sm text-muted">{children}</p>}
        {retry && <Button onClick={retry}>{t('Try again')}</Button>}
        {actions && <div className="flex flex-wrap justify-center gap-2">{actions}</div>}
      </div>
    </div>
  );
}
