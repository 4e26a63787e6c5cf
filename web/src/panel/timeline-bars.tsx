import { t } from '../languages/catalogue';
import type { TimeScale } from '../rows/time-scale';
import type { Bar } from '../rows/timeline-rows';
import { span } from '../words/words';
import { isThin, kindLooks } from './timeline-legend';

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;
const labelledAtMost = 4;

/** The labels above the lines: the lengths of breaks, which are not to scale. */
export function BreakLabels({ scale }: { scale: TimeScale }) {
  const breaks = scale.pieces.filter(({ broken }) => broken).sort((a, b) => b.to - b.from - (a.to - a.from));
  if (breaks.length === 0) return null;
  return (
    <svg
      role="img"
      aria-label={t('Not to scale: {times}', { times: breaks.map(({ from, to }) => span(to - from)).join(', ') })}
      className="h-4 w-full"
    >
      {breaks.slice(0, labelledAtMost).map(({ from, to, start, end }) => (
        <text
          key={from}
          x={percent((start + end) / 2)}
          y={11}
          textAnchor="middle"
          className="fill-faint text-[0.6875rem] tabular-nums"
        >
          {span(to - from)}
        </text>
      ))}
    </svg>
  );
}

export interface BarsProps {
  bars: readonly Bar[];
  scale: TimeScale;
  failed: boolean;
  /** The current time, for a run in progress. */
  now?: number;
}

/** The timeline of one entry. */
export function Bars({ bars, scale, failed, now }: BarsProps) {
  return (
    <svg aria-hidden="true" className="mt-0.5 block h-2 w-full overflow-visible">
      <line x1="0" x2="100%" y1={4} y2={4} className="stroke-line" />
      {bars.map((bar) => (
        <BarShape key={`${bar.from} ${bar.failed}`} bar={bar} scale={scale} failed={failed} now={now} />
      ))}
      {scale.pieces
        .filter(({ broken }) => broken)
        .map(({ from, start, end }) => (
          <BreakMark key={from} at={(start + end) / 2} />
        ))}
    </svg>
  );
}

function BarShape({
  bar: { kind, from, to, open, failed: attemptFailed },
  scale,
  failed,
  now,
}: { bar: Bar } & Omit<BarsProps, 'bars'>) {
  const [start, end] = [scale.at(from), scale.at(to)];
  const come = open && now !== undefined && to > now ? scale.at(now) : end;
  const thin = isThin(kind);
  const { fill, stroke } = kindLooks[kind];
  return (
    <>
      <rect
        x={percent(start)}
        // Even the shortest entry stays visible.
        width={`max(3px, ${percent(come - start)})`}
        y={thin ? 3 : 0}
        height={thin ? 2 : 8}
        rx={thin ? 1 : 2}
        className={failed || attemptFailed ? 'fill-bad' : fill}
      />
      {come < end && (
        <line
          x1={percent(come)}
          x2={percent(end)}
          y1={4}
          y2={4}
          strokeWidth={2}
          strokeDasharray="2 3"
          className={stroke}
        />
      )}
    </>
  );
}

/** Two strokes through the line: time is left out here. */
function BreakMark({ at }: { at: number }) {
  return (
    <svg x={percent(at)} overflow="visible" aria-hidden="true">
      <path d="M-4,8 L0,0 M0,8 L4,0" className="fill-none stroke-side" strokeWidth={4} />
      <path d="M-4,8 L-1,1 M1,7 L4,0" className="fill-none stroke-faint" strokeWidth={1} />
    </svg>
  );
}
