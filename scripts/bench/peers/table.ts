import { type Figure, figures, type Report } from './figures';

/** Returns the table: a row per figure, a column per peer, Vigil's ratio to each peer, and the bars. */
export function table(reports: Report[]): string {
  const ours = reports.find(({ peer }) => peer === 'vigil');
  const others = reports.filter((report) => report !== ours);
  const counts = [...new Set(reports.flatMap(({ B }) => B?.map(({ n }) => n) ?? []))];
  const head = ['', '', ...reports.map(({ peer }) => peer)];
  if (ours) head.push(...others.map(({ peer }) => `ours / ${peer}`), 'bar');
  const lines = [head];
  for (const figure of figures(counts)) {
    const values = reports.map(figure.read);
    if (values.every((value) => value === undefined)) continue;
    const line = [figure.name, figure.unit, ...values.map(number)];
    if (ours) {
      const mine = figure.read(ours);
      line.push(...others.map((other) => ratio(mine, figure.read(other))), verdict(figure, mine));
    }
    lines.push(line);
  }
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const left = (column: number) => column < 2 || head[column] === 'bar';
  const cell = (text: string, i: number) => (left(i) ? text.padEnd(widths[i]!) : text.padStart(widths[i]!));
  return lines.map((line) => line.map(cell).join('  ').trimEnd()).join('\n');
}

function number(value: number | undefined): string {
  if (value === undefined) return '-';
  if (value >= 1000) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

/** A ratio with zero is meaningless. */
function ratio(mine: number | undefined, other: number | undefined): string {
  return mine && other ? (mine / other).toFixed(2) : '-';
}

function verdict({ bar, rate, unit }: Figure, value: number | undefined): string {
  if (bar === undefined) return '';
  const met = value !== undefined && (rate ? value >= bar : value <= bar);
  return `${rate ? '>=' : '<='} ${bar} ${unit}: ${met ? 'met' : 'MISSED'}`;
}
