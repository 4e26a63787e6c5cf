import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type FileJournal, openJournal } from './journal';
import type { JournalRecord } from './record';

const record = (serial: number, body: string, previous = -1): JournalRecord => ({
  kind: 'succeeded',
  serial,
  previous,
  time: 1_700_000_000_000.5,
  wakeAt: 0,
  inFlight: false,
  status: 'RUNNING',
  lastEvent: serial,
  body,
});

describe('the journal', () => {
  let folder: string;
  let lines: string[];
  let found: [number, string][];

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vigil-journal-'));
    lines = [];
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  function open(segmentSize?: number): FileJournal {
    found = [];
    const journal = openJournal({ folder, log: (line) => lines.push(line), segmentSize });
    journal.recover(({ body }, position) => found.push([position, body]));
    return journal;
  }
  const file = () => path.join(folder, fs.readdirSync(folder).sort().at(-1)!);

  test('gives back what was written, in order, also to the next process', async () => {
    const journal = open();
    const positions = ['one', 'zwei — ü', '', '三'.repeat(5_000)].map((body, i) => journal.append(record(i, body)));
    await journal.committed();
    expect(journal.read(positions[1]!)).toMatchObject({
      kind: 'succeeded',
      serial: 1,
      time: 1_700_000_000_000.5,
      body: 'zwei — ü',
    });
    expect(journal.read(positions[3]!).body).toBe('三'.repeat(5_000));
    await journal.close();
    await open().close();
    expect(found).toEqual([
      [positions[0], 'one'],
      [positions[1], 'zwei — ü'],
      [positions[2], ''],
      [positions[3], '三'.repeat(5_000)],
    ]);
  });

  test('cuts a last record that is torn at any of its bytes, and goes on behind the one before', async () => {
    const journal = open();
    journal.append(record(1, 'whole'));
    await journal.committed();
    const end = journal.append(record(2, 'the last, with some text'));
    await journal.committed();
    await journal.close();
    const whole = fs.readFileSync(file());
    for (let length = end; length < whole.length; length += 1) {
      fs.writeFileSync(file(), whole.subarray(0, length));
      const again = open();
      expect(found).toEqual([[0, 'whole']]);
      expect(again.append(record(3, 'next'))).toBe(end);
      await again.close();
      expect(lines).toHaveLength(length - end === 0 ? 0 : length - end);
    }
  });

  test('cuts a last record of which any byte is wrong', async () => {
    const journal = open();
    journal.append(record(1, 'whole'));
    await journal.committed();
    const start = journal.append(record(2, 'damaged'));
    await journal.close();
    const whole = fs.readFileSync(file());
    for (let at = start; at < whole.length; at += 1) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 0x5a;
      fs.writeFileSync(file(), damaged);
      await open().close();
      expect(found).toEqual([[0, 'whole']]);
    }
  });

  test('zeros at the end, left by a process that was killed, are no damage', async () => {
    const journal = open();
    journal.append(record(1, 'whole'));
    await journal.committed();
    // Not closed: the room that was made ahead is still there.
    expect(fs.statSync(file()).size).toBe(1024 * 1024);
    await open().close();
    expect(found).toEqual([[0, 'whole']]);
    expect(lines).toEqual([]);
  });

  test('begins new segments, reads across them, and lets old ones go', async () => {
    const journal = open(10_000);
    const positions: number[] = [];
    for (let i = 0; i < 60; i += 1) {
      positions.push(journal.append(record(i, 'x'.repeat(1_000))));
      await journal.committed();
    }
    expect(journal.segments.length).toBeGreaterThan(4);
    expect(journal.read(positions[3]!).serial).toBe(3);
    const kept = journal.segments[2]!.start;
    journal.dropBefore(kept);
    expect(journal.segments[0]!.start).toBe(kept);
    await journal.close();
    const again = open(10_000);
    expect(found.map(([position]) => position)).toEqual(positions.filter((position) => position >= kept));
    await again.close();
  });

  test('refuses a damaged segment that others follow', async () => {
    const journal = open(1_000);
    for (let i = 0; i < 5; i += 1) {
      journal.append(record(i, 'x'.repeat(1_000)));
      await journal.committed();
    }
    await journal.close();
    const first = path.join(folder, fs.readdirSync(folder).sort()[0]!);
    fs.writeFileSync(first, fs.readFileSync(first).subarray(0, 100));
    expect(() => open(1_000)).toThrow(/damaged/);
  });

  test('what is appended together is committed together', async () => {
    const journal = open();
    const committed: number[] = [];
    for (let i = 0; i < 1_000; i += 1) {
      journal.append(record(i, `record ${i}`));
      journal.afterCommit(() => committed.push(i));
    }
    expect(committed).toEqual([]);
    await journal.committed();
    expect(committed).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
    await journal.close();
  });
});
