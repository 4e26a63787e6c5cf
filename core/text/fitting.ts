/**
 * As many rows from the beginning as have so many bytes together, one at least. Counted as in a Lambda's answer to API Gateway, in
 * which the body is a string: each of its quotes and line breaks takes another character.
 */
export function fitting<Row extends object>(rows: Row[], maxBytes: number): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(row)));
    return bytes > maxBytes && index > 0;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
