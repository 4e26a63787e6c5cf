import type { ChangedRow, ListRow, LiveRow, PieceRow } from './live';

/** API Gateway limits a WebSocket frame to 32 KB. */
export const frameBytes = 32 * 1_024;

/** Packs rows into messages of at most one frame each. A row that does not fit into a frame becomes a `changed` notice; a piece always fits. */
export function framesOf(
  to: { conversationId: string } | { list: true },
  rows: readonly (LiveRow | PieceRow | ListRow)[],
  limit = frameBytes,
): string[] {
  const begin = `${JSON.stringify({ type: 'rows', ...to }).slice(0, -1)},"rows":[`;
  const end = ']}';
  const room = limit - Buffer.byteLength(begin) - end.length;
  const frames: string[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const whole = JSON.stringify(row);
    const text = row.kind === 'piece' || Buffer.byteLength(whole) <= room ? whole : JSON.stringify(changed(row));
    const bytes = Buffer.byteLength(text) + 1;
    if (used + bytes > room + 1) {
      frames.push([]);
      used = 0;
    }
    frames.at(-1)!.push(text);
    used += bytes;
  }
  return frames.map((texts) => begin + texts.join(',') + end);
}

function changed(one: LiveRow | ListRow): ChangedRow {
  const { kind, row } = one;
  const key = 'seq' in row ? String(row.seq) : row.id;
  return { kind, key, version: row.version, changed: true };
}
