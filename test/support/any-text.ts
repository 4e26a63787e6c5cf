import * as fc from 'fast-check';

const isSurrogate = (point: number) => point >= 0xd800 && point <= 0xdfff;

/** Texts of any code points, control characters often. fast-check's own unit `binary` first lists a million of them, in each file of tests. */
export const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }).filter((point) => !isSurrogate(point)))
  .map((points) => String.fromCodePoint(...points));
