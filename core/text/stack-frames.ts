import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/**
 * Where an error was thrown, in the files as they were written: `tools/order.ts:12:9`, the innermost frame first.
 *
 * Frames of a file with a source map beside it are mapped. Maps are read here, when an error is told of, and not by Node's
 * --enable-source-maps: that reads them whenever a function starts, which takes a tenth to a third longer.
 *
 * @param stack of an error. Its other lines, such as the message, are left out.
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
    // What the bundler added is nobody's line.
    if (!('originalSource' in found)) return [];
    const { originalSource, originalLine, originalColumn } = found;
    // The map lies elsewhere than where it was made. What goes up from there leads to the repository.
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
