import { RunStatus } from '../../base/state/schemas';
import { key } from './keys';
import type { Meta } from './meta';
import { readableMeta } from './readable';

/** Values of a row's fields; null: it has none. */
type Unchanged = Record<string, string | number | null>;

/** A META row that is written again as far as it is readable. */
interface Repaired {
  meta: Meta;
  /** With the run's stored status, which the user's counts have. */
  before: Meta;
  onlyIf: Unchanged;
}

/**
 * Repairs a META row that cannot be read. What its other rows tell is taken from them: how long the log is, and the latest run. A run that
 * was active has failed.
 *
 * @param latest the conversation's last messages, as stored.
 */
export function repaired(row: object, latest: object[]): Repaired {
  const stored = row as Record<string, unknown>;
  const found = readableMeta(row);
  const messages = latest as { sk: string; runId?: unknown }[];
  const lastSeq = Math.max(
    found.lastSeq,
    ...messages.map(({ sk }) => Number.parseInt(sk.slice(key.messages.length), 10) || 0),
  );
  const ids = messages.flatMap(({ runId }) => (typeof runId === 'string' && numberOf(runId) > 0 ? [runId] : []));
  const [id = ''] = [found.run?.id ?? '', ...ids].sort().slice(-1);
  const run = found.run && id ? { ...found.run, id } : undefined;
  const meta: Meta = {
    ...found,
    lastSeq,
    lastUserSeq: Math.min(lastSeq, found.lastUserSeq || lastSeq),
    runs: Math.max(found.runs, numberOf(id)),
    run,
    ...(found.run && !run && { status: 'idle' as const }),
  };
  const status = RunStatus.safeParse((stored.run as { status?: unknown } | undefined)?.status).data;
  const before = run && status ? { ...meta, run: { ...run, status } } : meta;
  return { meta, before, onlyIf: unchanged(stored) };
}

const numberOf = (runId: string): number => Number(/^r_(\d{6,})_/.exec(runId)?.[1] ?? 0);

/** The row's simple fields that every change changes some of. A field of another type can be in no condition. */
function unchanged(stored: Record<string, unknown>): Unchanged {
  const same: Unchanged = {};
  for (const field of ['version', 'status', 'updatedAt', 'owner', 'deletedFor']) {
    const value = stored[field];
    if (value === undefined) same[field] = null;
    else if (typeof value === 'string' || typeof value === 'number') same[field] = value;
  }
  return same;
}
