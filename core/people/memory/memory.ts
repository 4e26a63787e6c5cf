import { Memory } from '../../conversations/rows/rows';

export { Memory };

/** A memory with its embedding. Embeddings of different models cannot be compared. */
export interface PlacedMemory extends Memory {
  vector: Float32Array;
  embeddingModel: string;
}

/** Turns texts into vectors of equal length. */
export interface Embedder {
  model: string;
  embed(texts: string[]): Promise<Float32Array[]>;
}

export interface Recalled extends Memory {
  /** Cosine similarity, from -1 to 1. */
  similarity: number;
}

/** The most memories of a user. Every search reads all of them, and a person can still look through them. */
export const maxMemories = 1_000;
/** A memory with a smaller similarity is unrelated to the query. */
const nearEnough = 0.3;

/**
 * Returns the nearest memories, nearest first. The search is exact: it compares all of a user's memories, which takes less than a
 * millisecond for a thousand and needs no index per user.
 */
export function nearest(
  memories: PlacedMemory[],
  query: { vector: Float32Array; embeddingModel: string },
  limit: number,
): Recalled[] {
  return memories
    .filter(
      ({ embeddingModel, vector }) => embeddingModel === query.embeddingModel && vector.length === query.vector.length,
    )
    .map(({ vector, embeddingModel: _, ...memory }) => ({ ...memory, similarity: cosine(vector, query.vector) }))
    .filter(({ similarity }) => similarity >= nearEnough)
    .sort((a, b) => b.similarity - a.similarity || (a.createdAt < b.createdAt ? 1 : -1))
    .slice(0, limit);
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, ofA, ofB] = [0, 0, 0];
  for (let index = 0; index < a.length; index++) {
    dot += a[index]! * b[index]!;
    ofA += a[index]! ** 2;
    ofB += b[index]! ** 2;
  }
  return ofA && ofB ? dot / Math.sqrt(ofA * ofB) : 0;
}
