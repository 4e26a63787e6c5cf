import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shipped } from '../../agents';
import { problemKinds } from '../../core/base/state/problem-kinds';
import { api } from '../../lambdas/api/app';
import type { App, Deployment } from '../../lambdas/api/deployment';
import { modules } from '../../modules/api';

export const file = join(__dirname, '../../docs/openapi.json');

/** The API without a deployment: it answers only what needs none. */
export const apiAlone = (): App => {
  const unused = { registry: shipped, actions: { carryOut: async () => undefined }, live: {} } as unknown as Deployment;
  return api({ ...unused, modules, machines: false, tokenUse: 'access' });
};

/** What the gateway passes with a request: here, of nobody. */
export const asNobody = { event: { requestContext: {} } };

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, object>>;
}
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  security: object[];
  requestBody?: object;
  responses: Record<string, { content?: object; $ref?: string }>;
}

/** Returns the document that the API serves. */
export async function served(): Promise<OpenApi> {
  const answer = await apiAlone().request('/openapi.json', {}, asNobody);
  return (await answer.json()) as OpenApi;
}

export const pageFile = join(__dirname, '../../docs/api.md');
const [begin, end] = ['<!-- problems -->', '<!-- /problems -->'];

/** Returns docs/api.md with its table of the types of problems. */
export function withProblems(page: string): string {
  const lines = Object.entries(problemKinds).map(([kind, of]) => {
    const values = 'values' in of ? of.values.map((name) => `\`${name}\``).join(', ') : '';
    return `| \`${kind}\` | ${of.status} | ${of.what} | ${values} |`;
  });
  const table = ['| kind | status | | `values` |', '|---|---|---|---|', ...lines].join('\n');
  return page.replace(new RegExp(`${begin}[^]*${end}`), () => `${begin}\n${table}\n${end}`);
}

/** Returns what differs between two documents: operations, components and the rest, by name. */
export function changes(before: OpenApi, after: OpenApi): string[] {
  const [old, now] = [partsOf(before), partsOf(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
    if (!Object.hasOwn(old, name)) return [`added: ${name}`];
    if (!Object.hasOwn(now, name)) return [`removed: ${name}`];
    return JSON.stringify(old[name]) === JSON.stringify(now[name]) ? [] : [`changed: ${name}`];
  });
}

const partsOf = ({ paths, components, ...rest }: OpenApi): Record<string, unknown> =>
  Object.fromEntries([
    ...Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
    ...Object.entries(components).flatMap(([kind, of]) =>
      Object.entries(of).map(([name, component]) => [`${kind}/${name}`, component]),
    ),
    ...Object.entries(rest),
  ]);

if (require.main === module) {
  void served().then((document) => writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`));
  writeFileSync(pageFile, withProblems(readFileSync(pageFile, 'utf8')));
}
