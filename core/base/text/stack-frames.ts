import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/**
 * Returns the stack frames of an error in the source files, such as `tools/order.ts:12:9`, innermost first.
 *
 * Frames of a file with a source map next to it are mapped. Maps are read here, only for errors. Node's --enable-source-maps reads
 * them whenever a function starts, which makes starts 10 to 30 percent slower.
 *
 * @param stack an error's stack. Other lines, such as the message, are left out.
 */
export function framesOf(stack: string): string[] {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (file: string) => {
    if (!maps.has(file)) maps.set(file, readMap(file));
    return maps.get(file);
  };
  return stack.split('\n').flatMap((frame) => {
    const [, file, line, column] =
      /^ +at (?:async )?(?:.*\()?(?:file:\/\/)?([^()]+?):(\d+):(\d+)\)?$/.exec(frame) ?? [];
    if (!file || file.startsWith('node:') || file.startsWith('[')) return [];
    const map = mapOf(file);
    if (!map) return [`${file}:${line}:${column}`];
    const found = map.findEntry(Number(line) - 1, Number(column) - 1);
    // Code that the bundler added has no source line.
    if (!('originalSource' in found)) return [];
    const { originalSource, originalLine, originalColumn } = found;
    // So has an index that the bundler wrote: `agents:/app/agents/index.ts`.
    if (/^[a-z-]{2,}:/.test(originalSource)) return [];
    // The bundle was moved after the map was made. The path without leading `../` is relative to the repository.
    return [`${originalSource.replace(/^(\.\.\/)+/, '')}:${originalLine + 1}:${originalColumn + 1}`];
  });
}

function readMap(file: string): SourceMap | undefined {
  try {
    return existsSync(`${file}.map`) ? new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))) : undefined;
  } catch {
    return undefined;
  }
}

export const isOfPackage = (frame: string): boolean => frame.includes('node_modules/');
