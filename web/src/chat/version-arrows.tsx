import { ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { goToVersion } from '../hooks/use-place';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import type { Versions } from '../rows/branches';

export interface VersionArrowsProps {
  id: string;
  /** The place in the conversation. */
  seq: number;
  versions: Versions;
}

/** "‹ 2 / 3 ›": leads to the other versions of a message, in place. Each is a conversation of its own. */
export function VersionArrows({ id, seq, versions: { ids, index } }: VersionArrowsProps) {
  const { store, client, follow } = useVigil();
  const [busy, setBusy] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { turned } = store.getState();
    // The element that had the focus belonged to the other version.
    if (turned?.to !== id || (turned.seq ?? seq) !== seq || document.activeElement !== document.body) return;
    const buttons = whole.current?.querySelectorAll('button');
    buttons?.[turned.step === 1 ? 1 : 0]?.focus({ preventScroll: true });
  }, [store, id, seq]);
  const turn = async (step: 1 | -1) => {
    const to = ids[index + step];
    if (!to || busy) return;
    setBusy(true);
    const known = () => client.conversation(to).getSnapshot().status;
    // What is on the screen stays there until the other version can be shown.
    if (known() !== 'ready') await follow.read(to);
    setBusy(false);
    if (store.getState().open !== id || known() === 'gone') return;
    store.setState({ turned: { to, seq, step } });
    goToVersion(to);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div
      ref={whole}
      role="group"
      aria-label={t('Versions')}
      className="flex items-center text-muted text-xs tabular-nums first:-ml-1.5"
    >
      <Arrow Icon={ChevronLeft} label={t('Previous version')} atEnd={index === 0} press={() => void turn(-1)} />
      <span className="px-0.5">
        {index + 1} / {ids.length}
      </span>
      <Arrow
        Icon={ChevronRight}
        label={t('Next version')}
        atEnd={index === ids.length - 1}
        press={() => void turn(1)}
      />
    </div>
  );
}

interface ArrowProps {
  Icon: LucideIcon;
  label: string;
  atEnd: boolean;
  press: () => void;
}

/** At the end it stays focusable, so that the focus is not lost there. */
function Arrow({ Icon, label, atEnd, press }: ArrowProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={atEnd}
      onClick={press}
      className="inline-flex size-7 items-center justify-center rounded-md focus-visible:-outline-offset-2 hover:bg-line/60 hover:text-ink aria-disabled:opacity-45"
    >
      <Icon aria-hidden className="size-3.5" />
    </button>
  );
}
