import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository, type SidebarItem } from './pages.ts';

// What docs/openapi.json uses of OpenAPI 3.1.

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  description?: string;
  examples?: unknown[];
  [limit: string]: unknown;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
  description?: string;
}
interface Answer {
  $ref?: string;
  description: string;
  content?: Record<string, { schema: Schema }>;
}
interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: [string];
  security: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Answer>;
}
interface Document {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Answer>;
  };
}

const nameIn = (ref: string) => ref.split('/').at(-1)!;
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;

/** Returns a table without the columns in which nothing is, or '' if it has no rows. */
function table(heads: string[], rows: string[][]): string {
  if (rows.length === 0) return '';
  const isUsed = heads.map((_, index) => rows.some((cells) => cells[index] !== ''));
  const used = (cells: string[]) => row(cells.filter((_, index) => isUsed[index]));
  return [used(heads), used(heads.map(() => '---')), ...rows.map(used)].join('\n');
}

/** Returns a schema's type in words, with links to those that have a name. */
function typeOf({ $ref, anyOf, items, type, ...schema }: Schema): string {
  if ($ref) return `[${nameIn($ref)}](./schemas.md#${nameIn($ref).toLowerCase()})`;
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  if (items) return `list of ${typeOf(items)}`;
  if (schema.properties === undefined && typeof schema.additionalProperties === 'object') {
    const values = typeOf(schema.additionalProperties);
    return values === 'JSON' ? 'object' : `object with values: ${values}`;
  }
  return [type ?? 'JSON'].flat().join(' or ');
}

const limits = ['format', 'minLength', 'maxLength', 'minimum', 'maximum', 'maxItems', 'pattern', 'default'];
const limitsOf = (schema: Schema) =>
  limits.filter((limit) => schema[limit] !== undefined).map((limit) => `${limit} \`${schema[limit]}\``);

function notesOf(description: string | undefined, schema: Schema): string {
  const notes = [description ?? schema.description, limitsOf({ ...schema.items, ...schema }).join(', ')];
  return notes.filter(Boolean).join('. ');
}

/** Returns the rows of an object's fields, each followed by those of an object without a name that it has. */
function fieldsOf({ properties = {}, required = [] }: Schema, prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix + name;
    const shown = `\`${path}\`${required.includes(name) ? '' : ' (optional)'}`;
    const inner = field.items?.properties ? fieldsOf(field.items, `${path}[].`) : fieldsOf(field, `${path}.`);
    return [[shown, typeOf(field), notesOf(field.description, field)], ...inner];
  });
}

function schemaSection([name, schema]: [string, Schema]): string {
  const examples = (schema.examples ?? []).map((each) => `\`\`\`json\n${JSON.stringify(each, null, 2)}\n\`\`\``);
  const fields = table(['Field', 'Type', 'Meaning'], fieldsOf(schema));
  const type = fields ? '' : `Type: ${typeOf(schema)}. ${limitsOf(schema).join(', ')}`;
  const shown = examples.length ? [examples.length > 1 ? 'Examples:' : 'Example:', ...examples] : [];
  return [`## ${name}`, schema.description ?? '', type, fields, ...shown].filter(Boolean).join('\n\n');
}

/** Returns the types of bodies, without repeating one that several media types have. */
const bodiesOf = (content: Answer['content'] = {}) =>
  [...new Set(Object.values(content).map(({ schema }) => typeOf(schema)))].join(' or ');

function operationSection(document: Document, method: string, path: string, operation: Operation): string {
  const { parameters = [], requestBody, responses, security } = operation;
  const { components } = document;
  const asked = parameters.map((each) => (each.$ref ? components.parameters[nameIn(each.$ref)]! : each));
  const answers = Object.entries(responses).map(([status, each]) => {
    const { description, content } = each.$ref ? components.responses[nameIn(each.$ref)]! : each;
    return [status, description, bodiesOf(content)];
  });
  const parameterRows = asked.map((each) => [
    `\`${each.name}\`${each.required ? '' : ' (optional)'}`,
    each.in,
    typeOf(each.schema),
    notesOf(each.description, each.schema),
  ]);
  return [
    `## ${operation.operationId}`,
    `\`${method.toUpperCase()} ${path}\``,
    `${operation.summary}.`,
    operation.description ?? '',
    security.length === 0 ? 'Needs no sign-in.' : '',
    requestBody ? `Body: ${bodiesOf(requestBody.content)}` : '',
    table(['Parameter', 'In', 'Type', 'Meaning'], parameterRows),
    table(['Answer', 'Meaning', 'Body'], answers),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/**
 * Writes a page for each tag of docs/openapi.json, and one of the schemas. As Markdown, so that the search finds what they say: it does not
 * index what a component draws.
 */
export function writeHttpReference(pages: string): SidebarItem {
  const document: Document = JSON.parse(readFileSync(join(repository, 'docs/openapi.json'), 'utf8'));
  const title = 'Operations of the HTTP API';
  const folder = join(pages, 'http');
  mkdirSync(folder);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  const written = (file: string, text: string, ...parts: string[]): SidebarItem => {
    writeFileSync(join(folder, `${file}.md`), [`# ${text}`, ...parts].join('\n\n') + '\n');
    return { text, link: `/http/${file}` };
  };
  const list = operations.map(({ method, path, operationId, summary, tags: [tag] }) => [
    `[${operationId}](./${tag.toLowerCase()}.md#${operationId.toLowerCase()})`,
    `\`${method.toUpperCase()} ${path}\``,
    summary,
  ]);
  const how =
    'Generated from [`openapi.json`](/openapi.json). [The HTTP API](/api.md) says what holds for all of them.';
  written('index', title, document.info.description, how, table(['Operation', 'Request', 'What it does'], list));
  const items = [
    ...document.tags.map(({ name, description }) => {
      const sections = operations
        .filter(({ tags }) => tags[0] === name)
        .map(({ path, method, ...operation }) => operationSection(document, method, path, operation));
      return written(name.toLowerCase(), name, `${description}.`, ...sections);
    }),
    written('schemas', 'Schemas', ...Object.entries(document.components.schemas).map(schemaSection)),
  ];
  return { text: title, link: '/http/', collapsed: true, items };
}
