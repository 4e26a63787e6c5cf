import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appProject } from '../local/npm-start/app-project';
import { mcp } from '../modules/mcp/pull-command';
import { startMcpServers } from '../test/support/servers/guard';
import { runCommand } from './cli/command';
import { initApp } from './cli/init';
import { typeMistakes } from './cli/typecheck';
import { place } from './place';

const here = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-cli-'));
});
afterEach(() => {
  process.chdir(here);
  rmSync(folder, { recursive: true, force: true });
});

const said = async (...args: string[]) => {
  const lines: string[] = [];
  await runCommand(args, (line) => lines.push(line));
  return lines.join('\n');
};

test('a new app has an agent, a tool, a test and a CDK app, and names the Vigil that made it (R165)', async () => {
  const app = join(folder, 'Our Shop');
  expect(await said('init', app)).toContain('npm install');
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) => /\.\w+$|ignore/.test(file));
  expect(files.sort()).toEqual([
    '.gitignore',
    'AGENTS.md',
    'README.md',
    'agents/guide-agent.ts',
    'app.ts',
    'cdk.json',
    'evals/guide.eval.ts',
    'package.json',
    'test/guide.test.ts',
    'tools/opening-hours.ts',
    'tsconfig.json',
  ]);
  expect(readFileSync(join(app, 'README.md'), 'utf8')).toContain('# our-shop\n');
  const { name, dependencies } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  // This one was made by a clone.
  expect({ name, vigil: dependencies.vigil }).toMatchObject({ name: 'our-shop', vigil: /^file:(\.\.\/)+/ });
});

test('no existing file is changed by a new app, and the refusal is one line (R165)', async () => {
  writeFileSync(join(folder, 'app.ts'), 'mine');
  await expect(initApp(folder)).rejects.toThrow(`${folder} is not empty: name a new folder.`);
  expect(readdirSync(folder)).toEqual(['app.ts']);
  await expect(initApp(join(folder, 'app.ts'))).rejects.toThrow('cannot be used (ENOTDIR): name a new folder.');
});

test.each([
  ["Ada's shop!", 'ada-s-shop', "cd 'Ada'\\''s shop!'"],
  ['Bücher_2', 'bucher-2', "cd 'Bücher_2'"],
  ['.hidden', 'hidden', 'cd .hidden'],
  ['-rf', 'rf', 'cd ./-rf'],
  ['a folder/shop', 'shop', "cd 'a folder/shop'"],
  // npm refuses to install a package into one with its name.
  ['zod', 'zod-app', 'cd zod'],
])('the app %j is the package %s, and what to type is what a shell understands (R165)', async (name, called, typed) => {
  process.chdir(folder);
  expect(await initApp(name)).toContain(`  ${typed}\n`);
  expect(JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')).name).toBe(called);
  const pwd = execFileSync('sh', ['-c', `${typed} && pwd -P`], { cwd: folder, encoding: 'utf8' });
  expect(pwd).toBe(`${realpathSync(join(folder, name))}\n`);
});

test.each([
  ['1st', 'my-1st'],
  ['日本', 'my-agents'],
  ['node_modules', 'my-node-modules'],
])('the app %j is refused in one line, which proposes a name (R165)', async (name, proposal) => {
  await expect(initApp(name)).rejects.toThrow(`${name}: use a name that begins with a letter, such as ${proposal}.`);
  expect(existsSync(join(folder, name))).toBe(false);
});

test.each([
  [['serve'], 'There is no command "serve": use init, typecheck, start, reconcile, check, eval or mcp.'],
  [['init', 'a', 'b'], 'Name one folder for the new app'],
  [['mcp', 'pull'], 'Name what to do and the files of servers, for example `npx vigil mcp pull tools/github.ts`.'],
  [['mcp', 'pull', 'gone.ts'], 'gone.ts does not exist.'],
  [['start', '--rest'], "Unknown option '--rest'. `vigil --help` lists the options."],
  [['reconcile', '--restored-at', 'noon', '--function', 'f'], '--restored-at is "noon": use a time such as'],
])('a mistake in the command line is one line: %j (R165)', async (args, line) => {
  const refused = runCommand(args);
  await expect(refused).rejects.toThrow(line);
  await refused.catch((error: Error) => expect(error.message).not.toContain('\n'));
});

test('the types of an app are checked before it is tested, run, synthesized or deployed, and each mistake is one line (R193)', async () => {
  const app = join(folder, 'shop');
  await initApp(app);
  expect(JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')).scripts).toMatchObject({
    start: 'vigil start',
    test: 'vigil typecheck && node --import tsx --test test/*.test.ts',
    synth: 'cdk synth --quiet',
    deploy: 'cdk deploy',
  });
  // What `vigil start`, the tests and the CDK's command line run.
  expect(JSON.parse(readFileSync(join(app, 'cdk.json'), 'utf8')).app).toBe(
    'npx vigil typecheck && node --import tsx app.ts',
  );
  const checked = join(folder, 'checked');
  mkdirSync(join(checked, 'tools'), { recursive: true });
  expect(() => typeMistakes(app)).toThrow('TypeScript is missing. Run `npm install --save-dev typescript`.');
  symlinkSync(join(place, 'node_modules'), join(checked, 'node_modules'));
  expect(typeMistakes(checked)).toEqual([expect.stringMatching(/^tsconfig\.json: Cannot find a tsconfig\.json file/)]);
  writeFileSync(join(checked, 'tsconfig.json'), '{ "compilerOptions": { "types": [], "strict": true } }');
  writeFileSync(
    join(checked, 'tools/price.ts'),
    `declare function tool(spec: { kind: 'wait' }): void;
declare function tool(spec: { effect: 'read' | 'once' }): void;
tool({ effect: 'onec' });
const cents: number = 'nine';
export {};`,
  );
  expect(typeMistakes(checked)).toEqual([
    `tools/price.ts:3:8: Type '"onec"' is not assignable to type '"once" | "read"'.`,
    `tools/price.ts:4:7: Type 'string' is not assignable to type 'number'.`,
  ]);
});

test('the tools of an MCP server are read for review with a token for its declaration’s client, and what has changed since is told (R175)', async () => {
  const servers = await startMcpServers();
  const { GUARDED_URL: url, GUARDED_ISSUER: issuer, GUARDED_SECRET } = servers.variables;
  try {
    const file = join(folder, 'guarded.ts');
    writeFileSync(
      file,
      `import { mcp } from '${place}/modules/mcp/server';
import pin from './guarded.mcp.json';
const oauth = { clientId: 'vigil', secret: 'GUARDED_SECRET', issuer: '${issuer}' };
export const guarded = mcp('guarded', { url: '${url}', auth: { oauth }, pin, allow: { 'get-s*': {}, echo: {} } });`,
    );
    // Its packages are found from there.
    symlinkSync(join(place, 'node_modules'), join(folder, 'node_modules'));
    await expect(runCommand(['mcp', 'pull', file])).rejects.toThrow(
      'MCP server guarded: set the variable GUARDED_SECRET to its key.',
    );
    process.env.GUARDED_SECRET = GUARDED_SECRET;
    expect(await said('mcp', 'pull', file)).toBe(
      'echo: new\nget-structured-content: new\nget-sum: new\nguarded: 3 tools, 3 changes',
    );
    const lines: string[] = [];
    expect(await mcp(['check', file], (line) => lines.push(line))).toBe(true);
    const pinFile = join(folder, 'guarded.mcp.json');
    writeFileSync(pinFile, readFileSync(pinFile, 'utf8').replace('Returns the sum of', 'Adds'));
    expect(await mcp(['check', file], (line) => lines.push(line))).toBe(false);
    expect(lines).toEqual([
      'guarded: 3 tools, 0 changes',
      'get-sum: description: "Adds two numbers" -> "Returns the sum of two numbers"',
      'guarded: 3 tools, 1 changes',
    ]);
  } finally {
    delete process.env.GUARDED_SECRET;
    await servers.stop();
  }
});

test('a start in a folder without a CDK app says in one line what is missing (R165)', () => {
  const open = () => appProject(folder, { web: '' });
  expect(open).toThrow('cdk.json does not exist: go to the folder of your CDK app, or make one with `npx vigil init');
  mkdirSync(join(folder, 'agents'));
  writeFileSync(join(folder, 'cdk.json'), '{');
  expect(open).toThrow(/cdk\.json is not JSON: /);
  writeFileSync(join(folder, 'cdk.json'), '{}');
  expect(open).toThrow('cdk.json: app: is missing: name the command that runs the CDK app.');
  expect(appProject(folder, { command: 'node app.js', web: '' }).root).toBe(folder);
});
