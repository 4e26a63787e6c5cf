import { createHash } from 'node:crypto';
import type { CreateEmbeddingResponse, EmbeddingCreateParams } from 'openai/resources/embeddings';
import { clip } from '../../core/base/text/clip';

/**
 * Computes embeddings from words alone: each word, and its first five letters, has its own dimension, so texts that
 * share words are close. It knows the synonyms below and no others.
 */
export function embeddings({ input, model, dimensions = 256 }: EmbeddingCreateParams): CreateEmbeddingResponse {
  const places = [input].flat().map((text) => placeOf(String(text), dimensions));
  const data = places.map((embedding, index) => ({ object: 'embedding' as const, index, embedding }));
  const tokens = String(input).length >> 2;
  return { object: 'list', model, data, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

const empty = new Set('a an and are do does for i in is it me my of on or the to user what with you your'.split(' '));

/** Words that have one meaning, so that a search by meaning finds something without a model of a provider. */
const synonyms = [
  'boat boats ship ships vessel vessels ferry yacht',
  'repair repaired repairs fix fixed fixes mend mended',
  'town towns city village place places',
  'doctor doctors physician medic surgeon',
  'car cars automobile vehicle',
  'flat apartment home house lodging',
  'buy bought purchase purchased acquire',
  'holiday holidays vacation vacations getaway',
  'child children kid kids son daughter',
  'job work position employment',
  'meal dinner supper lunch',
  'money cash funds savings',
  'ill sick unwell poorly',
  'begin begins start starts commence',
  'cheap inexpensive affordable budget',
  'dog dogs puppy hound',
  'cat cats kitten',
  'teacher tutor instructor',
  'rain rainy showers drizzle',
  'fast quick rapid speedy',
  'big large huge',
  'afraid scared frightened fear',
  'bicycle bike bikes cycling',
  'train railway rail',
  'present gift gifts presents',
];
const meaningOf = new Map(
  synonyms.flatMap((line) => line.split(' ').map((word, _, [first]) => [word, first!] as const)),
);

function placeOf(text: string, dimensions: number): number[] {
  const place = new Array<number>(dimensions).fill(0);
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => meaningOf.get(word) ?? word);
  for (const word of words.filter((one) => !empty.has(one)))
    for (const part of new Set([word, clip(word, { characters: 5 })]))
      place[createHash('sha256').update(part).digest().readUInt32BE(0) % dimensions]! += 1;
  const length = Math.hypot(...place) || 1;
  return place.map((value) => value / length);
}
