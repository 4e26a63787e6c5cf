import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appProject } from '../local/npm-start/app-project';
import { runCommand } from './cli/command';
import { initApp } from './cli/init';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
    ...['.gitignore', 'README.md', 'agents/guide-agent.ts', 'app.ts', 'cdk.json', 'package.json'],
    ...['test/guide.test.ts', 'tools/opening-hours.ts', 'tsconfig.json'],
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
  await expect(initApp(join(folder, '1st'))).rejects.toThrow('use a name that begins with a letter.');
  expect(existsSync(join(folder, '1st'))).toBe(false);
});

test.each([
  [['serve'], 'There is no command "serve": use init, start or reconcile.'],
  [['init'], 'Name one folder for the new app'],
  [['init', 'a', 'b'], 'Name one folder for the new app'],
  [['start', '--rest'], "Unknown option '--rest'. `vigil --help` lists the options."],
  [['reconcile', '--restored-at', 'noon', '--function', 'f'], '--restored-at is "noon": use a time such as'],
])('a mistake in the command line is one line: %j (R165)', async (args, line) => {
  const refused = runCommand(args);
  await expect(refused).rejects.toThrow(line);
  await refused.catch((error: Error) => expect(error.message).not.toContain('\n'));
});

test('the help names each command (R165)', async () => {
  for (const ask of [[], ['--help'], ['start', '--help']]) {
    const help = await said(...ask);
    for (const command of ['init', 'start', 'reconcile']) expect(help).toContain(`vigil ${command}`);
  }
  expect(await said('--version')).toMatch(/^\d+\.\d+\.\d+$/);
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
