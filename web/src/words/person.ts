import { t } from '../languages/catalogue';

/** Longer ids are those of an issuer, such as a UUID or `auth0|…`, which say nothing to people. */
const readableCharacters = 24;
const beginning = 8;

/**
 * Returns how the page names another person: by the name of their token, by a readable id, or by the beginning of another one.
 *
 * @example personName('161ce2d6-c94e-5370-ae8d-e4ef61181c56') // 'user 161ce2d6'
 */
export function personName(user: string, name?: string): string {
  if (name) return name;
  if (user.length <= readableCharacters || user.includes('@')) return user;
  const id = user.slice(user.lastIndexOf('|') + 1);
  // Issuers' ids are ASCII.
  return t('user {id}', { id: id.slice(0, beginning) });
}
