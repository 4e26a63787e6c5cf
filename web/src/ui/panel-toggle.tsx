import { PanelRightClose, PanelRightOpen } from 'lucide-react';
import { Button } from './button';

export interface PanelToggleProps {
  panel: boolean;
  toggle: () => void;
  /** The content of the panel, such as "the step". */
  what: string;
}

/** Shows or hides the panel on the right. A phone has tabs instead. */
export function PanelToggle({ panel, toggle, what }: PanelToggleProps) {
  const Icon = panel ? PanelRightClose : PanelRightOpen;
  return (
    <span className="hidden sm:block">
      <Button
        look="quiet"
        icon
        onClick={toggle}
        aria-label={`${panel ? 'Hide' : 'Show'} ${what}`}
        aria-expanded={panel}
      >
        <Icon aria-hidden className="size-4" />
      </Button>
    </span>
  );
}
