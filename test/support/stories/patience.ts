import type { Vigil } from '../clouds/vigil';

const atRest = ['done', 'failed', 'limited', 'cancelled'];

/** Moves the clock until the conversation's run has ended. */
export async function nudgeToEnd(vigil: Vigil, id: string) {
  const user = await vigil.user();
  await vigil.advanceUntil(async () => atRest.includes((await user.read(id)).status));
  return user.read(id);
}
