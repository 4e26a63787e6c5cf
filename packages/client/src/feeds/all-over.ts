/**
 * Waits until all reads are over, also if one has failed: the next read must not overlap them.
 *
 * @throws the first failure.
 */
export async function allOver(reads: readonly Promise<unknown>[]): Promise<void> {
  const all = await Promise.allSettled(reads);
  const failed = all.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
