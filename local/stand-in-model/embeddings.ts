import { createHash } from 'node:crypto';
import type { CreateEmbeddingResponse, EmbeddingCreateParams } from 'openai/resources/embeddings';

const defaultDimensions = 256;

/**
 * Embeddings from the words alone: each word, and each of its beginnings, has a direction of its own, so that texts which share
 * words are near one another. It knows no synonyms.
 */
export function embeddings(request: EmbeddingCreateParams): CreateEmbeddingResponse {
  const inputs = [request.input].flat().map(String);
  const dimensions = request.dimensions ?? defaultDimensions;
  const data = inputs.map((text, index) => ({
    object: 'embedding' as const,
    index,
    embedding: placeOf(text, dimensions),
  }));
  const tokens = inputs.join(' ').length >> 2;
  return { object: 'list', model: request.model, data, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

const empty = new Set('a an and are do does for i in is it me my of on or the to user what with you your'.split(' '));

function placeOf(text: string, dimensions: number): number[] {
  const place = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (empty.has(word)) continue;
    for (const part of new Set([word, word.slice(0, 5)])) place[directionOf(part, dimensions)]! += 1;
  }
  const length = Math.hypot(...place) || 1;
  return place.map((value) => value / length);
}

const directionOf = (word: string, dimensions: number): number =>
  createHash('sha256').update(word).digest().readUInt32BE(0) % dimensions;
