import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStateDirectory, resetStateDirectory } from './state-directory';

let above: string;
let folder: string;
const before = process.umask(0o022);
afterAll(() => process.umask(before));
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'vigil-test-'));
  folder = join(above, 'state');
});
afterEach(() => rmSync(above, { recursive: true, force: true }));

const modeOf = (...path: string[]) => (statSync(join(folder, ...path)).mode & 0o777).toString(8);
const open = async () => (await openStateDirectory(folder)).release();

/** Windows has no modes. */
const posix = process.platform === 'win32' ? test.skip : test;

posix('a new folder is for this user only (R151)', async () => {
  await open();
  expect(modeOf()).toBe('700');
});

posix('an earlier version’s folder is closed, with its files; what links lead to is left alone (R151)', async () => {
  const elsewhere = join(above, 'elsewhere');
  writeFileSync(elsewhere, '');
  mkdirSync(join(folder, 'logs'), { recursive: true });
  for (const file of ['dynamodb.sqlite', 'vigil-state', 'logs/Api.log', 'notes.txt'])
    writeFileSync(join(folder, file), '');
  symlinkSync(elsewhere, join(folder, 'link'));
  chmodSync(join(folder, 'dynamodb.sqlite'), 0o664);
  await open();
  expect([modeOf(), modeOf('logs')]).toEqual(['700', '700']);
  expect(['dynamodb.sqlite', 'logs/Api.log', 'notes.txt', 'link'].map((file) => modeOf(file))).toEqual([
    '600',
    '600',
    '600',
    '644',
  ]);
});

posix(
  'a folder with other files that others can read is refused with what to do, and stays as it is (R151)',
  async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'thesis.txt'), 'years of work');
    await expect(open()).rejects.toThrow(
      `Other users of this machine can read ${folder}, which has files that are not Vigil's: run "chmod 700 ${folder}", or set VIGIL_STATE_DIR to another folder.`,
    );
    expect([modeOf(), modeOf('thesis.txt')]).toEqual(['755', '644']);
    chmodSync(folder, 0o700);
    await open();
    expect(modeOf('thesis.txt')).toBe('644');
  },
);

test('a reset removes what a local cloud wrote and nothing else, and leaves a folder alone that is not a state directory', async () => {
  await open();
  const written = ['clock.json', 'dynamodb.sqlite', 'events.jsonl', 'undelivered.jsonl'];
  for (const name of [...written, 'thesis.txt']) writeFileSync(join(folder, name), '');
  // The key of webhook addresses. If it were kept, the next start would accept addresses of conversations that no
  // longer exist.
  mkdirSync(join(folder, 'generated-secrets'));
  writeFileSync(join(folder, 'generated-secrets', 'key'), '');
  await resetStateDirectory(folder);
  expect(readdirSync(folder)).toEqual(['thesis.txt']);
  await expect(resetStateDirectory(folder)).rejects.toThrow('is not a state directory of Vigil');
  expect(readdirSync(folder)).toEqual(['thesis.txt']);
});

test.each([
  ['characters', 'd'.repeat(120)],
  ['bytes', 'ü'.repeat(60)],
])('a state directory whose path has too many %s for a socket is locked all the same', async (_unit, name) => {
  const { release } = await openStateDirectory(join(folder, name));
  await expect(openStateDirectory(join(folder, name))).rejects.toThrow('in use');
  await release();
  await (await openStateDirectory(join(folder, name))).release();
});
