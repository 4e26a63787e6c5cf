import type { RefObject } from 'react';
import { t } from '../languages/catalogue';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';

export interface ToldProps {
  title: string;
  text: string;
  close: () => void;
  opener: RefObject<HTMLElement | null>;
}

/** Says what has come of something that the address asked for. */
export const Told = ({ title, text, close, opener }: ToldProps) => (
  <Dialog label={title} close={close} opener={opener} className="w-96 max-w-[calc(100vw-2rem)]">
    <div className="flex flex-col gap-3 p-5">
      <h2 className="font-semibold">{title}</h2>
      <p className="text-muted text-sm">{text}</p>
      <div className="mt-2 flex justify-end">
        <Button look="strong" onClick={close} autoFocus>
          {t('Close')}
        </Button>
      </div>
    </div>
  </Dialog>
);
