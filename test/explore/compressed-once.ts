// biome-ignore lint/style/useNodejsImportProtocol: the name that the bundle does not replace.
import * as zlib from 'zlib';

/**
 * Stands in for `node:zlib` in the exploration's bundle: thousands of schedules compress the same two results, and read them again in each
 * step. What Node made of them the first time is remembered.
 */
const known: { text: string; compressed: Buffer }[] = [];
/** The results of the tools are few; of what else there may be, the latest stay. */
const mostKnown = 8;

export function gzipSync(text: string): Buffer {
  const found = known.find((one) => one.text === text);
  return found ? Buffer.from(found.compressed) : remembered(text, zlib.gzipSync(text));
}

export function gunzipSync(compressed: Buffer): Buffer {
  const found = known.find((one) => one.compressed.equals(compressed));
  return found ? Buffer.from(found.text) : zlib.gunzipSync(compressed);
}

function remembered(text: string, compressed: Buffer): Buffer {
  known.unshift({ text, compressed: Buffer.from(compressed) });
  known.splice(mostKnown);
  return compressed;
}
