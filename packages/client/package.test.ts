import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import root from '../../package.json';
import { followImports, pagesBuild, publishedManifest } from '../build';
import { client } from './build';
import manifest from './package.json';
import { createClient } from './src';

/** The names in the lists of a file that only exports. */
const namesIn = (file: string): string[] =>
  [...readFileSync(join(__dirname, file), 'utf8').matchAll(/^export (type )?\{([^}]*)\}/gm)]
    .flatMap(([, type = '', list = '']) => list.split(',').flatMap((name) => (name.trim() ? type + name.trim() : [])))
    .sort();

test('the client’s package exports these names, and no others (R177)', () => {
  expect(namesIn(manifest.exports['.'])).toEqual([
    ...[
      'RequestFailed',
      'createClient',
      'pagesOf',
      'protocolVersion',
      'type Allowance',
      'type Answer',
      'type AnswerCallback',
      'type Api',
    ],
    ...['type ApprovalsFeed', 'type ApprovalsState', 'type Callback', 'type Client', 'type ClientMessage'],
    ...['type ClientOptions', 'type Connection', 'type Conversation', 'type ConversationFeed'],
    ...['type ConversationState', 'type ConversationSummary', 'type ConversationsFeed', 'type ConversationsState'],
    ...['type Feed', 'type Follower', 'type HomeFeed', 'type HomeState', 'type Live', 'type Message'],
    ...['type MessageWithFiles', 'type OwnTimer'],
    ...['type Problem', 'type ProblemType', 'type Request', 'type SendMessage', 'type SentFile'],
    ...['type ServerMessage', 'type Socket', 'type SocketClass', 'type StartConversation', 'type Status'],
    ...['type Timer', 'type Topic', 'type UploadOptions', 'type WaitingApproval', 'type WithFiles'],
  ]);
  expect(namesIn(manifest.exports['./react'])).toEqual([
    ...['VigilProvider', 'type UsedConversation', 'useApprovals', 'useClient', 'useConversation', 'useConversations'],
    ...['useFeed', 'useHome'],
  ]);
});

test.each<[options: unknown, message: string]>([
  [{ urls: '' }, 'createClient: urls: there is no such field: the fields are url, token, timeoutMs, clock, WebSocket'],
  [{ token: () => '' }, 'createClient: url: is missing: it must be a text'],
  [{ url: '', token: 't' }, 'createClient: token: must be a function'],
  [{ url: '', token: () => '', timeoutMs: Number.NaN }, 'createClient: timeoutMs: must be a number'],
  [
    { url: '', token: () => '', timeoutMs: undefined, urls: undefined, clock: 1, agent: 'a' },
    'createClient: agent: there is no such field: the fields are url, token, timeoutMs, clock, WebSocket',
  ],
  [undefined, 'createClient: the options must be an object'],
])('an option that there is not, or of another type, is refused by its name: %# (R193)', (options, message) => {
  expect(() => createClient(options as never)).toThrow(new TypeError(message));
});

test('its types are those of the API’s document (R177)', () => {
  const script = ['--import', 'tsx', join(__dirname, 'draw-types.ts'), '--print'];
  const { stdout, stderr } = spawnSync(process.execPath, script, { encoding: 'utf8', env: { PATH: process.env.PATH } });
  expect(stderr).toBe('');
  expect(readFileSync(join(__dirname, 'src/api-types.ts'), 'utf8')).toBe(stdout);
});

test('it imports nothing but what its optional entries are for, and no file outside its folder (R177)', async () => {
  const { files, packages } = await followImports(client);
  // The hook that takes the transport is its users' import. Its version must fit.
  expect([...packages, '@ai-sdk/react'].sort()).toEqual(Object.keys(manifest.peerDependencies));
  const { packages: alone } = await followImports({
    ...client,
    manifest: { ...manifest, exports: { '.': manifest.exports['.'] } },
  });
  expect(alone).toEqual([]);
  expect(files.filter((file) => !file.startsWith('src/') || file.includes('.test.'))).toEqual([]);
  expect(manifest).not.toHaveProperty('dependencies');
});

test('a page that takes the client and the hooks has one of it, of at most 12 KB, compressed (R177)', async () => {
  const { metafile } = await build({ ...pagesBuild(client), write: false, metafile: true });
  const files = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  expect(files).toHaveLength(new Set(files).size);
  const alone = { ...pagesBuild(client), entryPoints: ['src/index.ts'], splitting: false, minify: true, write: false };
  const { outputFiles } = await build({ ...alone, write: false });
  expect(outputFiles).toHaveLength(1);
  expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThan(12_000);
});

test('the published manifest names compiled files, each of a source that is there (R177)', () => {
  const { exports, ...rest } = publishedManifest(client);
  const named = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : Object.values(entry)));
  expect(named).toEqual(expect.arrayContaining(['./lib/index.js', './lib/index.mjs', './lib/react/index.d.ts']));
  for (const path of named) {
    const source = path.replace('./lib/', './src/').replace(/(?:\.d\.ts|\.m?js)$/, '.ts');
    expect(existsSync(join(__dirname, source))).toBe(true);
  }
  for (const field of ['private', 'scripts', 'devDependencies']) expect(rest).not.toHaveProperty(field);
  const { license, engines } = root;
  expect(rest).toMatchObject({ license, engines, sideEffects: false });
  expect(root.dependencies['vigil-client']).toBe(manifest.version);
});

test('its page links to nothing that is not published with it (R177)', () => {
  const links = [...readFileSync(join(__dirname, 'README.md'), 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(
    ([, link]) => link!,
  );
  expect(links.filter((link) => !/^(?:[a-z]+:|#|CHANGELOG\.md$)/.test(link))).toEqual([]);
});
