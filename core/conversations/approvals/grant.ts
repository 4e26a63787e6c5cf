import * as z from 'zod';

/** The claims of a verified token about the sign-in that it comes from. */
export interface SignInToken {
  /** Differs from token to token: `jti`, or when it ends. */
  id: string;
  /** The sign-in, the same in all of its tokens; undefined if the issuer does not say. */
  signIn?: string;
  /** The times when the user signed in, when the token was issued and when it ends, in seconds since 1970. */
  signedInAt?: number;
  issuedAt: number;
  until: number;
}

/**
 * A grant that works without a token: a device gets notifications, or they quote conversations. It ends with what it came from.
 *
 * - One token grants it until that token ends. Whoever has stolen a token has no more than that.
 * - A later token of the same sign-in confirms it. Only who can refresh the sign-in, or signs in again, has one.
 * - A confirmed grant lasts until no token has renewed it for a while, and no longer than a sign-in can be refreshed.
 */
export const Grant = z.object({
  /** The id of the token that granted or last renewed it. */
  token: z.string(),
  signIn: z.string().optional(),
  /** In seconds since 1970. */
  until: z.number(),
  confirmed: z.literal(true).optional(),
});
export type Grant = z.infer<typeof Grant>;

const daySeconds = 86_400;
/** A page renews what it has each time it opens. */
export const renewedWithinSeconds = 14 * daySeconds;
/** As long as the user directory's refresh tokens (`infra/page/user-directory.ts`). */
export const longestSignInSeconds = 30 * daySeconds;

const secondsOf = (now: Date): number => Math.floor(now.getTime() / 1_000);

export const isLive = ({ until }: { until: number }, now: Date): boolean => until > secondsOf(now);

export const isGranted = (grant: Grant | undefined, now: Date): grant is Grant =>
  grant !== undefined && isLive(grant, now);

/** Returns what a token makes of a grant: begins, confirms or renews it. */
export function granted(before: Grant | undefined, token: SignInToken, now: Date): Grant {
  const { id, signIn, signedInAt = Number.POSITIVE_INFINITY, until } = token;
  const mayConfirm = isGranted(before, now) && before.signIn === signIn && before.token !== id && until >= before.until;
  if (!isGranted(before, now) || !(before.confirmed || mayConfirm)) return { token: id, signIn, until };
  const longest = Math.min(secondsOf(now) + renewedWithinSeconds, signedInAt + longestSignInSeconds);
  return { token: id, signIn, until: Math.max(until, longest), confirmed: true };
}
