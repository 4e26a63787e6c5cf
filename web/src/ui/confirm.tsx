import type { RefObject } from 'react';
import { t } from '../languages/catalogue';
import { Button } from './button';
import { Dialog } from './dialog';

export interface ConfirmProps {
  title: string;
  text: string;
  /** The label of the confirming button. */
  action: string;
  confirm: () => void;
  close: () => void;
  opener?: RefObject<HTMLElement | null>;
}

/** Asks for confirmation of an action that cannot be taken back. */
export function Confirm({ title, text, action, confirm, close, opener }: ConfirmProps) {
  return (
    <Dialog label={title} close={close} opener={opener} isSudden className="w-96 max-w-[calc(100vw-2rem)]">
      <div className="flex flex-col gap-3 p-5">
        <h2 className="font-semibold">{title}</h2>
        <p className="text-sm text-muted">{text}</p>
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={close} autoFocus>
            {t('Keep it')}
          </Button>
          <Button
            look="danger"
            onClick={() => {
              confirm();
              close();
            }}
          >
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
