import type { TimelineEntry } from 'vigil-client/shared';
import { t } from '../languages/catalogue';

type Kind = TimelineEntry['kind'];

/** The colour of each kind of entry, everywhere in the panel. */
export const kindLooks: Record<Kind, { fill: string; stroke: string }> = {
  model: { fill: 'fill-accent', stroke: 'stroke-accent' },
  tool: { fill: 'fill-good', stroke: 'stroke-good' },
  wait: { fill: 'fill-sleep', stroke: 'stroke-sleep' },
  callback: { fill: 'fill-wait', stroke: 'stroke-wait' },
  undo: { fill: 'fill-faint', stroke: 'stroke-faint' },
  'hand-off': { fill: 'fill-ink', stroke: 'stroke-ink' },
};

export function kindWords(kind: Kind): string {
  switch (kind) {
    case 'model':
      return t('model');
    case 'tool':
      return t('tool');
    case 'wait':
      return t('asleep');
    case 'callback':
      return t('waits for an answer');
    case 'undo':
      return t('undoing');
    case 'hand-off':
      return t('hand-off');
  }
}

/** The kinds that occur, and the colour of what has failed. */
export function Legend({ kinds, failed }: { kinds: ReadonlySet<Kind>; failed: boolean }) {
  return (
    <ul aria-label={t('Legend')} className="mt-2 flex flex-wrap gap-x-3 gap-y-0.5 text-faint text-xs">
      {(Object.keys(kindLooks) as Kind[])
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <li key={kind} className="flex items-center gap-1.5">
            <svg aria-hidden="true" className="h-1.5 w-3">
              <rect
                width="100%"
                height={isThin(kind) ? 2 : 6}
                y={isThin(kind) ? 2 : 0}
                rx={1.5}
                className={kindLooks[kind].fill}
              />
            </svg>
            {kindWords(kind)}
          </li>
        ))}
      {failed && (
        <li className="flex items-center gap-1.5">
          <svg aria-hidden="true" className="h-1.5 w-3">
            <rect width="100%" height={6} rx={1.5} className="fill-bad" />
          </svg>
          {t('failed')}
        </li>
      )}
    </ul>
  );
}

/** Whether all of the entry is drawn as failed. */
export const hasFailed = ({ status }: TimelineEntry): boolean => ['failed', 'error', 'unknown'].includes(status);

/** Whether the kind is drawn as a thin line: it only waits. Colour is not the only distinction. */
export const isThin = (kind: Kind): boolean => kind === 'wait' || kind === 'callback';
