import * as z from 'zod';

/**
 * The data that code has about a conversation besides its words. Agents' instructions and tools get it. A model reads of it only what an
 * agent's instructions say.
 */
export interface Given {
  /**
   * Claims of the verified token of the user who began the run, as far as the deployment keeps them (`VIGIL_CLAIMS`). A run keeps
   * those that it began with.
   */
  claims: Claims;
  /** Data that the API's client gave to the conversation when it created it. Nobody has verified it: never decide about rights by it. */
  metadata: Metadata;
}

export const Claims = z.record(z.string(), z.string());
export type Claims = z.infer<typeof Claims>;

export const metadataBytes = 4_000;
const metadataLevels = 5;
/** A token's claims are stored with the conversation, its runs and its calls. */
export const claimsBytes = 2_000;

const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;

export const Metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= metadataBytes, {
    message: `use at most ${metadataBytes} bytes of JSON`,
  })
  .refine((value) => levelsOf(value) <= metadataLevels, { message: `use at most ${metadataLevels} levels` });
export type Metadata = z.infer<typeof Metadata>;
