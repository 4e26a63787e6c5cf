import type { SegmentInput } from '../../base/state/loop-state';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import type { StoredMessage } from '../rows/rows';
import type { RowWrite } from '../store/write';

/** Adds a note from Vigil to the log. The next model call reads it, and people see it. */
export function noteTo(meta: Meta, at: SegmentInput, text: string, now: Date): { meta: Meta; row: RowWrite } {
  const seq = meta.lastSeq + 1;
  const put: StoredMessage = {
    seq,
    version: 1,
    role: 'system',
    author: 'vigil',
    text,
    status: 'pending',
    runId: at.runId,
    step: at.step,
    createdAt: now.toISOString(),
  };
  return {
    meta: { ...meta, lastSeq: seq, pending: [...meta.pending, seq] },
    row: { sk: key.message(seq), put, onlyIf: 'absent' },
  };
}
