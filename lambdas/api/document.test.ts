import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import {
  apiAlone,
  asNobody,
  changes,
  file,
  type OpenApi,
  pageFile,
  served,
  withProblems,
} from '../../test/support/draw-openapi';
import { loggedLines } from '../../test/support/logged';
import { titleOf } from '../problems';
import { refusals } from './route';

loggedLines();

const committed = JSON.parse(readFileSync(file, 'utf8')) as OpenApi;
const operations = Object.entries(committed.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
);

/** The rules that a document breaks, where. */
async function broken(document: object): Promise<string[]> {
  const rules = {
    'no-invalid-schema-examples': 'error',
    'no-unused-components': 'error',
    'operation-tag-defined': 'error',
    'operation-singular-tag': 'error',
    'operation-operationId-url-safe': 'error',
    'parameter-description': 'error',
    'tag-description': 'error',
  } as const;
  const config = await createConfig({ extends: ['recommended-strict'], rules });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: file, config });
  return problems.map(({ ruleId, location: [at] }) => `${ruleId} ${at?.pointer ?? ''}`);
}

test('the committed document is the one that the API serves (R179)', async () => {
  const changed = changes(committed, await served());
  if (changed.length > 0)
    throw new Error(
      `docs/openapi.json is not what the API serves:\n  ${changed.join('\n  ')}\nIf that is meant, run: npx tsx test/support/draw-openapi.ts`,
    );
});

test('docs/api.md has the table of the types of problems (R179)', () => {
  const page = readFileSync(pageFile, 'utf8');
  expect(page).toBe(withProblems(page));
  expect(page).toContain('| `too-many-unread` | 409 |');
});

test('every route is in the document, and nothing else (R179)', () => {
  const routes = apiAlone().routes.filter(({ method, path }) => method !== 'ALL' && path !== '/openapi.json');
  const inDocument = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{(.+?)\}/g, ':$1')}`);
  expect(inDocument.sort()).toEqual([...new Set(routes.map(({ method, path }) => `${method} ${path}`))].sort());
});

test('every operation has a name, a tag and all answers that it may give (R179)', () => {
  for (const { operationId, tags, summary, security, requestBody, path, responses } of operations) {
    const isSignedIn = security.length > 0;
    expect([operationId, tags, summary]).toEqual([
      expect.stringMatching(/^[a-z]+([A-Z][a-z]+)+$/),
      [expect.any(String)],
      expect.any(String),
    ]);
    expect([operationId, Object.keys(responses)]).toEqual([
      operationId,
      expect.arrayContaining([
        '400',
        ...(isSignedIn ? ['401', '403'] : []),
        ...(path.startsWith('/conversations/{') ? ['404'] : []),
        ...(requestBody ? ['413', '415'] : []),
        '429',
        '500',
        '503',
      ]),
    ]);
  }
});

test('every status of a problem is one that the document describes (R179)', () => {
  const statuses = Array.from({ length: 200 }, (_, index) => 400 + index).filter((one) => titleOf(one) !== 'Error');
  expect(statuses.filter((status) => status !== 409 && !Object.hasOwn(refusals, status))).toEqual([]);
});

test('what the document calls signed in is refused without a token, and nothing else is (R179)', async () => {
  const app = apiAlone();
  for (const { method, path, security } of operations) {
    const { status } = await app.request(path.replaceAll(/\{.+?\}/g, 'some-id'), { method }, asNobody);
    expect([method, path, status === 401]).toEqual([method, path, security.length > 0]);
  }
});

test('a path that is not in it is a problem (R179)', async () => {
  const answer = await apiAlone().request('/nonsense', {}, asNobody);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  expect(await answer.json()).toMatchObject({ detail: 'There is no GET /nonsense.' });
});

test('rows are schemas with names, also within others (R179)', () => {
  const inline: string[] = [];
  const look = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('properties' in value && !/^schemas\/\w+$|\/anyOf\/\d+$/.test(at)) inline.push(at);
    for (const [name, inner] of Object.entries(value))
      if (name !== 'examples') look(inner, at ? `${at}/${name}` : name);
  };
  look(committed.components, '');
  look(committed.paths, 'paths');
  expect(inline).toEqual([]);
});

test('the document keeps the rules of OpenAPI, and its examples fit their schemas (R179)', async () => {
  expect(await broken(committed)).toEqual([]);
  const wrong = structuredClone(committed) as OpenApi & { components: { schemas: { Run: { examples: object[] } } } };
  wrong.components.schemas.Run.examples = [{ id: 'r_1', status: 'resting' }];
  wrong.paths['/agents']!.get!.operationId = 'getHome';
  expect(await broken(wrong)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('no-invalid-schema-examples #/components/schemas/Run/examples/0'),
      expect.stringContaining('operation-operationId-unique'),
    ]),
  );
});
