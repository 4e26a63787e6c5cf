const office = 'application/vnd.openxmlformats-officedocument';
const openDocument = 'application/vnd.oasis.opendocument';

/** The types of today's documents of Office, by the endings of names. */
export const officeTypes = {
  docx: `${office}.wordprocessingml.document`,
  xlsx: `${office}.spreadsheetml.sheet`,
  pptx: `${office}.presentationml.presentation`,
};

/** Types that bytes do not show, or not in all programs’ files, by the endings of names. */
const types: Record<string, string> = {
  ...officeTypes,
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  log: 'text/plain',
  markdown: 'text/markdown',
  md: 'text/markdown',
  ndjson: 'application/x-ndjson',
  odp: `${openDocument}.presentation`,
  ods: `${openDocument}.spreadsheet`,
  odt: `${openDocument}.text`,
  sql: 'application/sql',
  toml: 'application/toml',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** Returns the type to announce: what the browser says, without parameters such as a character set. If it says nothing, the name may. */
export function mediaTypeOf(said: string, filename = ''): string {
  const type = (said.split(';')[0] ?? '').trim().toLowerCase();
  if (type !== '' && type !== 'application/octet-stream') return type;
  const ending = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(types, ending) ? types[ending]! : 'application/octet-stream';
}
