import { clsx } from 'clsx';
import { clip } from '../../../core/base/text/clip';
import type { Shown } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { type MachinePlaces, machinePlaces, type Place } from '../rows/machine-places';
import { plain } from '../words/words';

interface Box {
  x: number;
  y: number;
  width: number;
}

const height = 24;
const boxes: Record<Place, Box> = {
  CallModel: { x: 2, y: 58, width: 74 },
  Route: { x: 104, y: 58, width: 54 },
  tool: { x: 186, y: 2, width: 100 },
  Sleep: { x: 186, y: 32, width: 100 },
  AwaitCallback: { x: 186, y: 62, width: 100 },
  RunTools: { x: 186, y: 92, width: 100 },
  End: { x: 104, y: 102, width: 54 },
};
const branches = ['tool', 'Sleep', 'AwaitCallback', 'RunTools'] as const;

const head = (gone: boolean): string => (gone ? 'arrow-gone' : 'arrow');

/** The loop of the state machine: the current state is highlighted, and states not visited are faint. */
export function MachinePicture({ conversation }: { conversation: Shown }) {
  const machine = machinePlaces(conversation);
  if (!machine) return null;
  const { visited, lit } = machine;
  // CallModel gave up, and Settle ended the run.
  const failed = machine.end === 'Failed';
  const back = branches.some((place) => visited.has(place) && place !== lit);
  return (
    <svg viewBox="0 0 298 142" role="img" aria-label={inWords(machine)} className="mt-3 w-full max-w-96">
      <defs>
        {[true, false].map((gone) => (
          <marker key={head(gone)} id={head(gone)} viewBox="0 0 6 6" refX={5} refY={3} markerWidth={6} orient="auto">
            <path d="M0,0 L6,3 L0,6 z" className={gone ? 'fill-faint' : 'fill-line'} />
          </marker>
        ))}
      </defs>
      <circle cx={39} cy={40} r={3} className="fill-faint" />
      <Way d="M39,43 V56" gone />
      <Way d="M76,70 H102" gone={visited.has('Route')} />
      <Way d="M131,82 V100" gone={visited.has('End') && !failed} />
      {failed && <Way d="M58,82 C58,106 76,114 102,114" gone />}
      {branches.map((place) => {
        const middle = boxes[place].y + height / 2;
        const gone = visited.has(place);
        return (
          <g key={place}>
            <Way d={`M158,70 C172,70 170,${middle} 184,${middle}`} gone={gone} />
            <Way d={`M286,${middle} H294`} gone={gone && place !== lit} headless />
          </g>
        );
      })}
      <Way d="M294,14 V138 H39 V84" gone={back} />
      {(Object.keys(boxes) as Place[]).map((place) => (
        <PlaceBox key={place} place={place} machine={machine} />
      ))}
    </svg>
  );
}

function Way({ d, gone, headless }: { d: string; gone: boolean; headless?: boolean }) {
  return (
    <path
      d={d}
      markerEnd={headless ? undefined : `url(#${head(gone)})`}
      className={clsx('fill-none', gone ? 'stroke-faint' : 'stroke-line')}
    />
  );
}

function PlaceBox({ place, machine }: { place: Place; machine: MachinePlaces }) {
  const { x, y, width } = boxes[place];
  const { lit, visited, end } = machine;
  const isLit = place === lit;
  const bad = isLit && place === 'End' && end === 'Failed';
  return (
    <g data-place={place} data-lit={isLit || undefined}>
      <rect
        {...{ x, y, width, height }}
        rx={place === 'End' ? 12 : 6}
        className={clsx(
          isLit ? (bad ? 'fill-bad stroke-bad' : 'fill-fill stroke-fill') : 'fill-raised',
          !isLit && (visited.has(place) ? 'stroke-faint' : 'stroke-line'),
        )}
      />
      <text
        x={x + width / 2}
        y={y + 15.5}
        textAnchor="middle"
        className={clsx(
          'text-[0.65625rem]',
          isLit ? `font-semibold ${bad ? 'fill-page' : 'fill-white'}` : visited.has(place) ? 'fill-ink' : 'fill-faint',
        )}
      >
        {nameOf(place, machine)}
      </text>
    </g>
  );
}

function nameOf(place: Place, { tool, end }: MachinePlaces): string {
  if (place === 'End') return end;
  if (place !== 'tool') return place;
  return clip(tool, { characters: 17 }, '…');
}

function inWords(machine: MachinePlaces): string {
  const { lit, visited, tool } = machine;
  const been = [...visited].filter((place) => place !== lit).map((place) => (place === 'tool' ? plain(tool) : place));
  return t('The loop of the state machine. Current state: {state}; visited: {states}.', {
    state: nameOf(lit, machine),
    states: been.join(', '),
  });
}
