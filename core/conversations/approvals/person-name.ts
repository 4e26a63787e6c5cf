import { seen } from 'vigil-client/shared';
import { clip } from '../../base/text/clip';
import type { Caller } from '../agent/approvers';

const nameCharacters = 100;
const isId = /[0-9a-f]{8}-[0-9a-f]{4}-|\d{8}/i;

/**
 * Returns the name by which others know a caller, from the verified token: `name`, an address that the issuer has verified, or a
 * `username` that is no id. It is for people to read and decides nothing: an issuer may let users choose their names.
 *
 * @returns undefined if the token has none.
 */
export function nameOf({ user, claims }: Pick<Caller, 'user' | 'claims'>): string | undefined {
  const { name = '', email = '', email_verified: verified, username = '' } = claims;
  const found = [name, verified === 'true' ? email : '', isId.test(username) || username === user ? '' : username];
  const shown = found.map((one) => clip(seen(one), { characters: nameCharacters }, '…'));
  return shown.find((one) => one !== '');
}
