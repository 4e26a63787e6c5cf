// core/people/memory: what agents remember about a user.

import { cosine, nearEnough } from '../../base/models/vectors';
import { Memory } from '../../conversations/rows/rows';

export { Memory };

/** A memory with its embedding. Embeddings of different models cannot be compared. */
export interface PlacedMemory extends Memory {
  vector: Float32Array;
  embeddingModel: string;
}

/** The vectors of some texts, in their order, and what their server bills. */
interface Embedded {
  vectors: Float32Array[];
  tokens: number;
}

/** Turns texts into vectors of equal length. */
export interface Embedder {
  model: string;
  /** In dollars per million tokens, if it is known. */
  price?: number;
  embed(texts: string[]): Promise<Embedded>;
}

export interface Recalled extends Memory {
  /** Cosine similarity, from -1 to 1. */
  similarity: number;
}

/** The most memories of a user. Every search reads all of them, and a person can still look through them. */
export const maxMemories = 1_000;

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
