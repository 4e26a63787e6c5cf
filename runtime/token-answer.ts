// What authorization servers answer with a token (RFC 6749, section 5.1).

/** The life of a token, if the server does not say it. */
const unknownLifeMs = 5 * 60_000;
/** No token is used longer, whatever the server says. */
const longestLifeMs = 24 * 3_600_000;

/** Returns a token's life by its `expires_in`, which some servers write as a text. One that is over when it comes is used once. */
export function tokenLifeMs(expiresIn: unknown): number {
  const seconds = typeof expiresIn === 'string' && /^\d{1,12}$/.test(expiresIn) ? Number(expiresIn) : expiresIn;
  if (typeof seconds !== 'number' || Number.isNaN(seconds)) return unknownLifeMs;
  return Math.min(Math.max(seconds, 0) * 1_000, longestLifeMs);
}

/** Whether a token fits into a header. If it did not, the error would quote it. */
export const isHeaderToken = (token: string): boolean => /^[\x21-\x7e]+$/.test(token);
