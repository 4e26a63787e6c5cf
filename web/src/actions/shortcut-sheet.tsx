import { type RefObject, useId } from 'react';
import { useInspect } from '../hooks/use-inspect';
import { type InboxAction, shortcuts } from '../inbox/shortcuts';
import { t } from '../languages/catalogue';
import { ListDialog } from '../ui/dialog';
import { Kbd } from './kbd';
import { type PageAction, pageKeys } from './page-keys';

interface ShortcutSheetProps {
  close: () => void;
  opener: RefObject<HTMLElement | null>;
}

/** Keys as they stand on the keyboard, and what they do. */
type Row = readonly [label: string, does: string];

const rowsOf = <Action extends string>(
  table: Record<Action, { label: string | (() => string); does: () => string }>,
  actions: Action[],
): Row[] =>
  actions.map((action) => {
    const { label, does } = table[action];
    return [typeof label === 'string' ? label : label(), does()];
  });

/** Lists all keys of the page, by where they work. */
export function ShortcutSheet({ close, opener }: ShortcutSheetProps) {
  const { may } = useInspect();
  const anywhere = (Object.keys(pageKeys) as PageAction[]).filter((action) => action !== 'inspect' || may);
  return (
    <ListDialog
      title={t('Keyboard shortcuts')}
      about={t('Those of a single letter or sign work while no field has the focus.')}
      close={close}
      opener={opener}
      className="w-[46rem] max-w-[calc(100vw-2rem)]"
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keys as well. */}
      <div tabIndex={0} className="gap-8 overflow-y-auto px-5 py-4 text-sm outline-offset-[-2px] sm:columns-2">
        <Keys title={t('Anywhere')} rows={rowsOf(pageKeys, anywhere)} />
        <Keys
          title={t('In the message field')}
          rows={[
            ['Enter', t('Send')],
            ['Shift+Enter', t('Begin another line')],
            ['↑', t('Take back what is not sent yet')],
            ['Esc', t('Stop the run that is at work')],
          ]}
        />
        <Keys
          title={t('In a replay')}
          rows={[
            ['← →', t('Go to another moment')],
            ['Shift+← →', t('Go to another step')],
            ['Esc', t('Return to now')],
          ]}
        />
        <Keys
          title={t('In what needs you')}
          rows={[
            ...rowsOf(shortcuts, Object.keys(shortcuts) as InboxAction[]),
            [t('Shift+click'), t('On a checkbox: select all up to there')],
          ]}
        />
        <Keys
          title={t('While a file is shown')}
          rows={[
            ['← →', t('Go to another picture or page')],
            ['+ −', t('Zoom')],
            ['0', t('Fit it into the window')],
          ]}
        />
      </div>
    </ListDialog>
  );
}

function Keys({ title, rows }: { title: string; rows: readonly Row[] }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mb-5 break-inside-avoid">
      <h3 id={id} className="mb-2 font-semibold text-faint text-xs">
        {title}
      </h3>
      <dl className="grid grid-cols-[6.5rem_1fr] items-baseline gap-x-4 gap-y-1.5">
        {rows.map(([label, does]) => (
          <div key={label} className="contents">
            <dt>
              <Kbd>{label}</Kbd>
            </dt>
            <dd className="text-muted">{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
