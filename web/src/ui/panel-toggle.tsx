import { PanelRightClose, PanelRightOpen } from 'lucide-react';
import { t } from '../languages/catalogue';
import { Button } from './button';

export interface PanelToggleProps {
  panel: boolean;
  toggle: () => void;
  of: 'run' | 'step';
}

/** Shows or hides the panel on the right. A phone has tabs instead. */
export function PanelToggle({ panel, toggle, of }: PanelToggleProps) {
  const words = {
    run: panel ? t('Hide the run panel') : t('Show the run panel'),
    step: panel ? t('Hide the step') : t('Show the step'),
  }[of];
  const Icon = panel ? PanelRightClose : PanelRightOpen;
  return (
    <span className="hidden sm:block">
      <Button look="quiet" icon onClick={toggle} aria-label={words} aria-expanded={panel}>
        <Icon aria-hidden className="size-4" />
      </Button>
    </span>
  );
}
