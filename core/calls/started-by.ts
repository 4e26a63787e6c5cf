import type { StoredCall } from '../store/rows';
import { clip } from '../text/clip';

const argumentBytes = 500;

/** What a call has started elsewhere, in words that tell it from what another call of the same tool has started. */
export const startedBy = ({ tool, arguments: args, createdAt }: StoredCall): string =>
  `What ${tool} had started on ${createdAt} with ${clip(JSON.stringify(args), argumentBytes)}`;
