import { cosine, nearEnough } from '../../core/base/models/vectors';
import { mostPlaced, type Placed, rowsIndex, spaceOf } from '../../core/conversations/embeddings/message-index';
import type { Table } from '../../core/conversations/store/table';
import { deployedEmbedder } from '../../runtime/embedder';
import { labelled, otherMessages } from '../../test/support/meaning/labelled';
import { startModelServer } from '../../test/support/servers/model-server';
import { startTable } from '../../test/support/tables/table';
import { countingTable, timeOf } from './counting-table';
import { type Figure, median, times } from './measure';

const messages = 10_000;
const conversations = 250;
const owner = 'bench';
const textsAtOnce = 50;
const nearestWanted = 10;

/**
 * Measures the search by meaning over 10,000 messages of a user. The labelled ones are among them, in different conversations. With
 * EMBEDDING_BASE_URL, the model of that server is measured too; without, the built-in embeddings know words and few synonyms, so recall@10
 * says what the index loses, and nothing of a model.
 */
export async function meaningBench(): Promise<Figure[]> {
  const [table, server] = await Promise.all([startTable(), startModelServer()]);
  try {
    process.env.EMBEDDING_BASE_URL ||= server.url;
    const embedder = deployedEmbedder({ send: async () => ({ SecretString: 'bench' }) } as never);
    const texts = [...labelled.map(([, said]) => said), ...otherMessages(messages - labelled.length)];
    const begun = performance.now();
    const vectors = await inBatches(texts, async (some) => (await embedder.embed(some)).vectors);
    const embeddingMs = performance.now() - begun;
    const { vectors: queries } = await embedder.embed(labelled.map(([query]) => query));
    const space = spaceOf(embedder.model, vectors[0]!);
    await fill(table, vectors, space);

    const counted = countingTable(table);
    const index = rowsIndex(counted.table);
    let [found, foundByWhole, agreed] = [0, 0, 0];
    const cpu = process.cpuUsage();
    const searching = performance.now();
    for (const [label, vector] of queries.entries()) {
      const { near } = await index.nearest({ vector, space }, { owner }, nearestWanted);
      const places = near.map(({ digest }) => Number(digest));
      if (places.includes(label)) found += 1;
      const wanted = exact(vectors, vector);
      if (wanted.includes(label)) foundByWhole += 1;
      agreed += wanted.length ? wanted.filter((one) => places.includes(one)).length / wanted.length : 1;
    }
    const ms = (performance.now() - searching) / queries.length;
    const { user, system } = process.cpuUsage(cpu);
    const { reads, units } = counted;
    const ofOne = { owner: 'another', shared: [{ owner, conversationId: 'bench-7' }] };
    const reading = median(await times(3, () => timeOf(() => readAll(index, { vector: queries[0]!, space }))));
    const inOne = median(await times(5, () => timeOf(() => index.nearest({ vector: queries[0]!, space }, ofOne, 10))));
    return [
      {
        key: 'recallAt10',
        name: `recall@10 of ${labelled.length} questions`,
        value: found / labelled.length,
        unit: '',
      },
      { key: 'recallOfWhole', name: 'the same with whole vectors', value: foundByWhole / labelled.length, unit: '' },
      {
        key: 'agreementAt10',
        name: 'of the 10 nearest by whole vectors, found',
        value: agreed / labelled.length,
        unit: '',
      },
      { key: 'embeddingMs', name: 'embedding of 10,000 messages', value: embeddingMs, unit: 'ms' },
      { key: 'meaningReads', name: 'reads of a search in 10,000', value: reads / labelled.length, unit: '' },
      { key: 'meaningReadUnits', name: 'its read units', value: units / labelled.length, unit: '' },
      { key: 'meaningMs', name: 'until the nearest are there', value: ms, unit: 'ms' },
      {
        key: 'meaningCpuMs',
        name: 'CPU, with the comparison',
        value: (user + system) / 1_000 / labelled.length,
        unit: 'ms',
      },
      { key: 'meaningRatio', name: 'compared with reading the rows alone', value: ms / reading, unit: '×' },
      { key: 'meaningOfOneMs', name: 'in one conversation of 40, which is shared', value: inOne, unit: 'ms' },
    ];
  } finally {
    await Promise.all([table.stop(), server.stop()]);
  }
}

async function inBatches<One>(texts: string[], make: (some: string[]) => Promise<One[]>): Promise<One[]> {
  const all: One[] = [];
  for (let from = 0; from < texts.length; from += textsAtOnce)
    all.push(...(await make(texts.slice(from, from + textsAtOnce))));
  return all;
}

/** Spreads the messages over the conversations. The digest of each is its number. */
async function fill(table: Table, vectors: Float32Array[], space: string): Promise<void> {
  const index = rowsIndex(table);
  for (let talk = 0; talk < conversations; talk++) {
    const of = { owner, conversationId: `bench-${talk}` };
    const placed = vectors.flatMap((vector, number): Placed[] =>
      number % conversations === talk
        ? [{ seq: Math.floor(number / conversations) + 1, vector, digest: String(number) }]
        : [],
    );
    for (let from = 0; from < placed.length; from += mostPlaced) {
      const before = await index.progressOf(of);
      const some = placed.slice(from, from + mostPlaced);
      await index.put(of, { before, space, through: some.at(-1)!.seq, placed: some }, new Date());
    }
  }
}

/** Returns the nearest by whole vectors, as numbers of messages. */
const exact = (vectors: Float32Array[], query: Float32Array): number[] =>
  vectors
    .map((vector, number) => ({ number, similarity: cosine(vector, query) }))
    .filter(({ similarity }) => similarity >= nearEnough)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, nearestWanted)
    .map(({ number }) => number);

/** Reads all rows, and compares none: the space has another name. */
const readAll = (index: ReturnType<typeof rowsIndex>, query: { vector: Float32Array; space: string }) =>
  index.nearest({ ...query, space: 'another' }, { owner }, nearestWanted);
