import * as z from 'zod';
import { FileId } from '../../base/content/parts';

/** A user's file, in a partition of the user. Its bytes are an object of the store. */
export const FileRow = z.object({
  version: z.number().int(),
  id: FileId,
  /** The object's key. Each row has another one, so what deletes the object of an earlier row never deletes this one's. */
  key: z.string(),
  /** The keys of earlier rows’ objects, which were being deleted when this row was made. They go with this one’s. */
  formerKeys: z.array(z.string()).optional(),
  /** What its bytes are, as far as they tell; before they are stored, what was announced. */
  mediaType: z.string(),
  size: z.number().int(),
  createdAt: z.iso.datetime(),
  /** The time when its bytes were found in the store. Nothing refers to a file before. */
  storedAt: z.iso.datetime().optional(),
  /** Who has begun to read its text, and has not finished: see `readings.ts`. */
  readings: z.array(z.object({ step: z.string(), writer: z.string(), at: z.iso.datetime() })).optional(),
  /** The models' makers that have refused it, and what they said: see `readings.ts`. */
  refusals: z
    .array(z.object({ maker: z.string(), why: z.string(), step: z.string(), at: z.iso.datetime() }))
    .optional(),
  /** Whether the user's sums include it until it is deleted. */
  counted: z.literal(true).optional(),
  /** The conversations that refer to it. */
  in: z.array(z.string()),
  /** Without any of them: since when. It is then in the list that Reconcile reads. */
  unusedSince: z.iso.datetime().optional(),
  /** Nothing may refer to it any more: its object is being deleted. */
  isGoing: z.literal(true).optional(),
  openFor: z.string().optional(),
  openSince: z.string().optional(),
  ttl: z.number().optional(),
});
export type FileRow = z.infer<typeof FileRow>;
