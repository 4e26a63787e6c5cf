import type { Given, Metadata } from '../../base/state/given';
import type { About } from '../../conversations/agent/agent';
import type { Meta } from '../../conversations/rows/meta';

/** Returns what tools get of the conversation besides its words; undefined for nothing. */
export function givenIn({ run, metadata }: Meta): Given | undefined {
  if (!run?.claims && metadata === undefined) return undefined;
  return { claims: run?.claims ?? {}, metadata: (metadata ?? {}) as Metadata };
}

/** Returns what instructions may depend on. It is the same whenever the run continues. */
export const aboutRun = (meta: Meta): About => ({
  ...(givenIn(meta) ?? { claims: {}, metadata: {} }),
  user: meta.owner,
  now: new Date(meta.run!.startedAt),
  zone: meta.run!.timeZone ?? meta.timeZone ?? 'UTC',
});
