import { clip } from '../../base/text/clip';
import type { StoredCall } from '../rows/rows';

const argumentBytes = 500;

/** Names the work that a call started elsewhere. The date and arguments distinguish it from other calls of the same tool. */
export const startedBy = ({ tool, arguments: args, createdAt }: StoredCall): string =>
  `The work that ${tool} started on ${createdAt} with ${clip(JSON.stringify(args), { bytes: argumentBytes })}`;
