import { urlIn } from '../../core/base/text/web-address';

/** A field of a declaration: its value, or the variable that has it in a deployment. */
export type Setting = string | { variable: string };

/** Returns the variables that a function needs for these fields. */
export const variablesIn = (settings: readonly (Setting | undefined)[]): string[] =>
  settings.flatMap((setting) => (typeof setting === 'object' ? [setting.variable] : []));

/** Returns what is wrong with the address of a server; undefined for nothing. Over http, a key could be read on its way. */
export function addressProblem(address: string): string | undefined {
  const url = urlIn(address);
  if (!url) return 'is not a web address';
  const { protocol, hostname, username, password } = url;
  if (username || password) return 'contains a user name or a password: use "auth"';
  const isHere = hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost';
  return protocol === 'https:' || (protocol === 'http:' && isHere) ? undefined : 'must begin with https://';
}
