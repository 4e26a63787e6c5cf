import type { Vigil } from './vigil';

/**
 * Moves the clock one minute at a time until the condition holds, so that retries become due. @throws after two hours
 * of moved time.
 */
export async function nudgeUntil(vigil: Vigil, holds: () => Promise<boolean>): Promise<void> {
  for (let minute = 0; minute < 120; minute++) {
    if (await holds()) return;
    await vigil.advance('PT1M');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The condition did not hold within two hours of moved time.');
}

const atRest = ['done', 'failed', 'limited', 'cancelled'];

/** Moves the clock until the conversation's run has ended. */
export async function nudgeToEnd(vigil: Vigil, id: string) {
  const user = await vigil.user();
  await nudgeUntil(vigil, async () => atRest.includes((await user.read(id)).status));
  return user.read(id);
}

/** Waits until a fault has killed the local cloud. */
export async function nudgeUntilDown(vigil: Vigil): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (!(await vigil.now().then(Boolean, () => false))) return vigil.kill();
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('The local cloud is still up.');
}
