import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatOf } from '../../core/conversations/rows/formats';
import { allKinds } from '../../core/conversations/rows/kinds';

export const file = join(__dirname, '../../docs/rows.md');

const partitions = {
  'C#': ['C#<conversation>', 'Of a conversation'],
  'U#': ['U#<user>', 'Of a user'],
  'E#': ['E#<user>', 'Of a user, embedded'],
  'F#': ['F#<user>', 'Of a user, files'],
  'N#': ['N#<user>', 'Of a user, counted'],
  'S#': ['S#<member>', 'Of a user or a group with whom conversations are shared'],
  'R#': ['R#<provider>#<reply>', 'Of a reply in the background'],
  'V#': ['V#', 'Of Vigil itself'],
} as const satisfies Record<string, [string, string]>;

/** The formats of kinds that have another one than the first. */
const formats = (): string =>
  allKinds
    .map(({ partition, prefix }) => ({ sk: prefix, format: formatOf(partition, prefix) }))
    .filter(({ format }) => format !== undefined)
    .map(({ sk, format }) => `\`${sk}…\` has the format ${format}.`)
    .join(' ');

const yes = (holds: boolean): string => (holds ? 'yes' : '');

function table(partition: string): string {
  const rows = allKinds.filter((kind) => kind.partition === partition);
  const lines = rows.map(({ prefix, about, words, forked = false, expires }) => {
    const sk = prefix.endsWith('#') ? `${prefix}…` : prefix;
    return `| \`${sk}\` | ${about} | ${yes(words)} | ${yes(forked)} | ${expires} |`;
  });
  return ['| key | what it has | words | forked | expires |', '|---|---|---|---|---|', ...lines].join('\n');
}

export const drawn = (): string => `# What is stored

These are the kinds of rows in the conversation table. [\`core/conversations/rows/kinds.ts\`](../core/conversations/rows/kinds.ts) lists them, with the schema that reads
each one, and \`modules/rows.ts\` those of modules. Writes and deletions derive from both, forks from the first. A write that its schema would not read, or of more than 400,000 bytes, is refused with the row and the
field. \`npx tsx test/support/draw-rows.ts\` draws this page, and a test fails while they differ.

- **words**: it may have words of a person, or of a model about a person.
- **forked**: a fork copies it.
- **expires** \`with its conversation\`: the deletion marks it, and DynamoDB removes it after 30 days. \`last\`: after 60 days. \`by itself\`: its writer says
  when. \`with what it names\`: it is in another partition than the conversation that it is about. \`never\`: until its user removes it.

Deleting a conversation deletes those of its sub-agents. Its forks are separate conversations and stay. While one of them is left, no new
conversation gets the id of the deleted one.

## Formats

A kind of rows has a format. A row has its number as \`format\`; without it, 1. A new field is optional and changes no format. A change that could be misread is a new
format with an upgrade (\`upgrades\` in the list), which rows of earlier formats go through whenever they are read (\`core/conversations/rows/formats.ts\`). A row of a
format that only a later version knows is refused (\`NewerRow\`, HTTP 503), and never written: deploy that version again. Meanwhile the live view
of its conversation waits, for ten minutes at most. Lists and search read some fields only.

${formats()} All other kinds have the first.

From the first release on, a recording of the rows and the template of each release is kept for ever, because a run may sleep for longer than three releases take: a test reads, shows, continues, forks and deletes the rows, and deploys this version over the template.

${Object.entries(partitions)
  .map(([partition, [name, title]]) => `## ${title}\n\nThe partition \`${name}\`.\n\n${table(partition)}`)
  .join('\n\n')}

## Of tools

Rows of other kinds are a tool's own, in the partitions that it \`needs\`. In a conversation's partition, they expire with the conversation. The demo bank has \`B#\`,
\`P#\` and \`NUMBER#\`.
`;

if (require.main === module) writeFileSync(file, drawn());
