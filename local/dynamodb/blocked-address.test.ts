import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, blockedAddresses, blockedPorts } from './blocked-address';
import { dynamodbClient } from './client';
import { startDynoxide } from './dynoxide';

let folder: string;
const stopping: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-addresses-'));
});
afterEach(async () => {
  for (const stop of stopping.splice(0)) await stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(name: string, addresses?: Address[]): Promise<string> {
  mkdirSync(join(folder, name));
  const engine = await startDynoxide(join(folder, name), () => undefined, ['/bin/sh'], addresses);
  stopping.push(engine.stop);
  return engine.endpoint;
}

/** Why `fetch`, which follows the browsers’ list, does not call an address. */
const refusal = (address: string): Promise<unknown> =>
  fetch(address).then(
    ({ status }) => status,
    ({ cause }: Error) => (cause as Error).message,
  );

test('each port is one that the Fetch standard blocks (R151)', async () => {
  expect(blockedPorts.length).toBeGreaterThan(10);
  for (const port of blockedPorts)
    expect([port, await refusal(`http://127.0.0.1:${port}`)]).toEqual([port, 'bad port']);
});

test('an engine that runs is called by its client, and refused by what follows the standard (R151)', async () => {
  const endpoint = await start('a');
  const client = dynamodbClient(endpoint);
  expect(await client.call('ListTables', {})).toEqual({ TableNames: [] });
  client.stop();
  expect(await refusal(endpoint)).toBe('bad port');
});

test('macOS has one loopback address, others have many', () => {
  const hosts = (platform: string) => new Set(blockedAddresses(platform).map(({ host }) => host));
  expect([...hosts('darwin')]).toEqual(['127.0.0.1']);
  for (const host of hosts('linux')) expect(host).toMatch(/^127\.[1-9]\d*\.\d+\.[1-9]\d*$/);
  expect(hosts('linux').size).toBeGreaterThan(5);
});

test('an engine whose address is taken gets the next one, and never the tables of another', async () => {
  const [first, second] = blockedAddresses() as [Address, Address];
  const [a, b] = [await start('a', [first]), await start('b', [first, second])];
  expect([a, b]).toEqual([first, second].map(({ host, port }) => `http://${host}:${port}`));
  await expect(start('c', [first])).rejects.toThrow(
    `finds no free port among ${first.port}: stop other local clouds, or set DYNAMODB_ENDPOINT.`,
  );
});
