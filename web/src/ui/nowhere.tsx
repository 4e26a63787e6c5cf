import { House, Search } from 'lucide-react';
import { homeAddress } from '../hooks/use-place';
import { t } from '../languages/catalogue';
import { Button } from './button';
import { Trouble } from './trouble';

export interface NowhereProps {
  title: string;
  problem: string;
  find: () => void;
}

/** Shown for an address that leads nowhere: what is wrong, and the ways on. */
export const Nowhere = ({ title, problem, find }: NowhereProps) => (
  <Trouble
    isAlone
    title={title}
    problem={problem}
    actions={
      <>
        <Button
          look="strong"
          onClick={() => {
            location.hash = homeAddress;
          }}
        >
          <House aria-hidden className="size-4" /> {t('Home')}
        </Button>
        <Button onClick={find}>
          <Search aria-hidden className="size-4" /> {t('Find a conversation')}
        </Button>
      </>
    }
  />
);
