import { key } from '../../core/conversations/rows/keys';
import { createConversation } from '../../core/conversations/runs/conversation';
import { readRows, type Table, write } from '../../core/conversations/store/table';
import { searchMessages } from '../../core/people/finding/search';
import { startTable } from '../../test/support/tables/table';
import { countingTable, timeOf } from './counting-table';
import { type Figure, median, times } from './measure';

const messages = 10_000;
const conversations = 250;
const rowsAtOnce = 50;
const user = 'bench';
const words = 'the flat near river costs more than we have thought and nobody can say when it will be free again'.split(
  ' ',
);

/** About 500 characters, as replies have on average. The rare word is in the oldest message alone. */
const textOf = (number: number): string =>
  Array.from({ length: 100 }, (_, index) => words[(index * 7 + number) % words.length]).join(' ') +
  (number === 0 ? ' lighthouse' : '');

/**
 * Measures the search over 10,000 messages of a user. The rare word is the worst case: all messages are read. Times are those of the
 * embedded engine; requests and read units are those of DynamoDB, too.
 */
export async function searchBench(): Promise<Figure[]> {
  const table = await startTable();
  try {
    await fill(table);
    const rare = await searched(table, 'lighthouse');
    const common = await searched(table, 'river flat', true);
    const reading = median(await times(3, () => timeOf(() => readAll(table))));
    return [
      { key: 'rareRequests', name: 'a word in 1 of 10,000: requests', value: rare.requests, unit: '' },
      { key: 'rareReads', name: 'its reads of the table', value: rare.reads, unit: '' },
      { key: 'rareReadUnits', name: 'its read units', value: rare.units, unit: '' },
      { key: 'rareMs', name: 'until all is searched', value: rare.ms, unit: 'ms' },
      { key: 'rareCpuMs', name: 'CPU of the function', value: rare.cpuMs, unit: 'ms' },
      { key: 'rareRatio', name: 'compared with reading the rows alone', value: rare.ms / reading, unit: '×' },
      { key: 'commonReads', name: 'words in all: reads for the first 20', value: common.reads, unit: '' },
      { key: 'commonMs', name: 'until the first 20 are there', value: common.ms, unit: 'ms' },
    ];
  } finally {
    await table.stop();
  }
}

async function fill(table: Table): Promise<void> {
  const each = messages / conversations;
  for (let talk = 0; talk < conversations; talk++) {
    const id = `bench-${talk}`;
    const at = new Date(Date.UTC(2026, 0, 1, 0, talk));
    await createConversation(table, { id, user, agent: 'bench' }, at);
    for (let from = 0; from < each; from += rowsAtOnce) {
      const rows = Array.from({ length: Math.min(rowsAtOnce, each - from) }, (_, index) => {
        const seq = from + index + 1;
        const about = { role: 'assistant', author: 'bench', status: 'complete', createdAt: at.toISOString() };
        return { sk: key.message(seq), put: { ...about, seq, version: 1, text: textOf(talk * each + seq - 1) } };
      });
      await write(table, id, rows);
    }
  }
}

async function readAll(table: Table): Promise<void> {
  const ids = Array.from({ length: conversations }, (_, talk) => `bench-${talk}`);
  for (let from = 0; from < ids.length; from += 10)
    await Promise.all(ids.slice(from, from + 10).map((id) => readRows(table, id, key.message(1), `${key.messages}~`)));
}

async function searched(table: Table, text: string, firstPage = false) {
  const counted = countingTable(table);
  let requests = 0;
  const cpu = process.cpuUsage();
  const ms = await timeOf(async () => {
    let cursor: string | undefined;
    do {
      requests += 1;
      ({ cursor } = await searchMessages(counted.table, user, text, cursor));
    } while (cursor && !firstPage);
  });
  const { user: own, system } = process.cpuUsage(cpu);
  const { reads, units } = counted;
  return { requests, reads, units, ms, cpuMs: (own + system) / 1_000 };
}
