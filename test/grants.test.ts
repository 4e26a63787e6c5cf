import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoredCallback } from '../core/conversations/rows/rows';

// Every way to get a grant has a line in docs/security.md, and every line names one that exists.

const root = join(__dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const section = (title: string) => textOf('docs/security.md').split(`\n## ${title}\n`)[1]!.split('\n## ')[0]!;
const named = new Set([...section('Grants').matchAll(/`([^`]+)`/g)].map(([, name]) => name!));

/** Routes that change what is the user's, and whose change gives nobody a way in. */
const changesOnly = new Set(['DELETE /memories/{memoryId}', 'PUT /settings']);

function grantingRoutes(): string[] {
  const { paths } = JSON.parse(textOf('docs/openapi.json')) as {
    paths: Record<string, Record<string, { security?: object[] }>>;
  };
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => /^(?:get|put|post|delete|patch)$/.test(method))
        .map(([method, { security }]) => ({ path, method, isOpen: security?.length === 0 })),
    )
    .filter(({ path, method, isOpen }) => isOpen || (method !== 'get' && !path.startsWith('/conversations')))
    .map(({ path, method }) => `${method.toUpperCase()} ${path}`)
    .filter((route) => !changesOnly.has(route));
}

const idsIn = (path: string, pattern: RegExp) => [...textOf(path).matchAll(pattern)].map(([, id]) => id!);

const ofModules = (pattern: RegExp): string[] =>
  readdirSync(join(root, 'modules'), { withFileTypes: true })
    .filter((one) => one.isDirectory() && existsSync(join(root, 'modules', one.name, 'construct.ts')))
    .flatMap(({ name }) => idsIn(`modules/${name}/construct.ts`, pattern));

/** Keys of rows that stand for a person without their token. Topics name who listens, and are a connection's. */
const liveRows = readdirSync(join(root, 'core/people/live'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .flatMap((file) => idsIn(`core/people/live/${file}`, /pk: `([A-Z]+#)/g))
  .filter((prefix) => prefix !== 'USER#');

test.each<[string, string[], number]>([
  ['routes that are open, or are about more than a conversation', grantingRoutes(), 6],
  [
    'clients of the user directory',
    [
      ...idsIn('infra/page/user-directory.ts', /new UserPoolClient\(this, '(\w+)'/g),
      ...ofModules(/\.addClient\?\.\('(\w+)'/g),
    ],
    4,
  ],
  [
    'keys that the stack makes',
    [
      ...idsIn('infra/functions/generated-key.ts', /new GeneratedKey\(scope, '(\w+)'/g),
      ...ofModules(/new GeneratedKey\(scope, '(\w+)'/g),
    ],
    2,
  ],
  ['rows of the live view', [...new Set(liveRows)], 2],
  ['tokens in rows of callbacks', Object.keys(StoredCallback.shape).filter((name) => /token/i.test(name)), 1],
])('%s have a line in the table of grants (R195)', (_what, grants, least) => {
  expect(grants.length).toBeGreaterThanOrEqual(least);
  expect(grants.filter((grant) => !named.has(grant))).toEqual([]);
});

test('no line of the table names a route that is gone (R195)', () => {
  const routes = [...named].filter((name) => /^(?:PUT|POST|DELETE) \//.test(name));
  expect(routes.filter((route) => !grantingRoutes().includes(route))).toEqual([]);
  expect(routes.length).toBeGreaterThan(4);
});

test('every module of the table of borders exists and has tests (R189)', () => {
  const modules = [...section('Borders').matchAll(/\| `([\w/.-]+)` \|/g)].map(([, path]) => path!);
  expect(modules.length).toBeGreaterThan(9);
  for (const path of modules) {
    const files = path.endsWith('/') ? readdirSync(join(root, path)) : [path.split('/').at(-1)!];
    const folder = readdirSync(join(root, path.endsWith('/') ? path : path.replace(/\/[^/]+$/, '')));
    const tests = path.startsWith('modules/mcp/') || path.endsWith('list-tools.ts') ? /\.test\.ts$/ : undefined;
    expect([
      path,
      files.some((file) => folder.some((one) => tests?.test(one) ?? one === file.replace(/\.ts$/, '.test.ts'))),
    ]).toEqual([path, true]);
  }
});
