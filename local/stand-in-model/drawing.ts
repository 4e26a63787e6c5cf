import { pngOf } from '../../runtime/png';
import type { Saying, Turn } from './turn';

const colours: Record<string, readonly [red: number, green: number, blue: number]> = {
  red: [200, 40, 40],
  green: [40, 140, 60],
  blue: [40, 80, 200],
  yellow: [240, 200, 40],
  orange: [240, 140, 30],
  purple: [130, 60, 170],
  black: [20, 20, 20],
  white: [250, 250, 250],
};
const wish = /^(?:please )?(?:draw|paint) (?:me )?an? (\w+) square\b/i;

/** Draws a square, as a file of the reply: “Draw me a red square”. */
export function draw({ said, replies }: Turn): Saying | undefined {
  const name = wish.exec(said.trim())?.[1]?.toLowerCase() ?? '';
  if (replies.length > 0 || !Object.hasOwn(colours, name)) return undefined;
  const bytes = square(64, colours[name]!);
  return { text: `Here is a ${name} square.`, images: [`data:image/png;base64,${bytes.toString('base64')}`] };
}

/** Returns a PNG of one colour. */
function square(side: number, colour: readonly number[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // 8 bits for each of red, green and blue.
  header.set([8, 2], 8);
  const line = Buffer.from([0, ...Array(side).fill(colour).flat()]);
  return pngOf(header, Buffer.concat(Array(side).fill(line)));
}
