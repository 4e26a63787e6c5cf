import * as z from 'zod';

/** What a user told an agent, kept for other conversations. */
export const Memory = z.object({
  id: z.string(),
  text: z.string(),
  /** Where it was said. */
  conversationId: z.string(),
  createdAt: z.iso.datetime(),
});
export type Memory = z.infer<typeof Memory>;

/** A memory with its place in the space of meanings, and which model put it there: vectors of two models do not compare. */
export interface PlacedMemory extends Memory {
  vector: Float32Array;
  embeddingModel: string;
}

/** Something that turns texts into vectors of equal length. */
export interface Embedder {
  model: string;
  embed(texts: string[]): Promise<Float32Array[]>;
}

export interface Recalled extends Memory {
  /** From -1 to 1: how near it is in meaning. */
  similarity: number;
}

/** A user has at most so many: that is what one search reads at once, and what a person can look through. */
export const maxMemories = 1_000;
/** Further away than this, a memory has nothing to do with what is asked. */
export const nearEnough = 0.3;

/**
 * The nearest memories, nearest first. Exact: each of a user's memories is looked at, which for a thousand of them takes less than a
 * millisecond, finds what is there, and needs no index that would have to be kept apart by user.
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
