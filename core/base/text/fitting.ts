/**
 * Returns as many rows from the beginning as fit into `maxBytes`, at least one. Sizes are those in a Lambda response to API Gateway,
 * where the body is a string, so quotes and line breaks are escaped once more.
 */
export function fitting<Row extends object>(rows: Row[], maxBytes: number): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(row)));
    return bytes > maxBytes && index > 0;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
