import { createHash } from 'node:crypto';
import type { CreateEmbeddingResponse, EmbeddingCreateParams } from 'openai/resources/embeddings';
import { clip } from '../../core/base/text/clip';

/**
 * Computes embeddings from words alone: each word, and its first five letters, has its own dimension, so texts that
 * share words are close. It knows no synonyms.
 */
export function embeddings({ input, model, dimensions = 256 }: EmbeddingCreateParams): CreateEmbeddingResponse {
  const places = [input].flat().map((text) => placeOf(String(text), dimensions));
  const data = places.map((embedding, index) => ({ object: 'embedding' as const, index, embedding }));
  const tokens = String(input).length >> 2;
  return { object: 'list', model, data, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

const empty = new Set('a an and are do does for i in is it me my of on or the to user what with you your'.split(' '));

function placeOf(text: string, dimensions: number): number[] {
  const place = new Array<number>(dimensions).fill(0);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const word of words.filter((one) => !empty.has(one)))
    for (const part of new Set([word, clip(word, { characters: 5 })]))
      place[createHash('sha256').update(part).digest().readUInt32BE(0) % dimensions]! += 1;
  const length = Math.hypot(...place) || 1;
  return place.map((value) => value / length);
}
