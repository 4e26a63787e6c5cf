import { optional, type Problem, type Rule, recordOf, text } from '../schemas/definition';
import { urlIn } from '../text/web-address';

/** A provider that is a server. */
export interface ProviderServer {
  baseUrl?: string;
  /** The environment variable with the key on a laptop, such as `DEEPSEEK_API_KEY`; on AWS, a secret with the tag `vigil:variable`. */
  key?: string;
  /** Sent with each request. Put no secrets here: they are in the bundle. */
  headers?: Record<string, string>;
}

const header: Rule = (value, at) => {
  const wrong = recordOf(text)(value, at);
  if (wrong) return wrong;
  for (const [name, one] of Object.entries(value as Record<string, string>))
    try {
      new Headers([[name, one]]);
    } catch {
      return [`${at}.${name}`, 'cannot be sent as a header'];
    }
  return undefined;
};

/** The rules of a server's fields, beside its name and kind. */
export const serverRules = { baseUrl: optional(text), key: optional(text), headers: optional(header) };

/** Checks what a field's own rule cannot. */
export function checkServer({ baseUrl, key }: ProviderServer): Problem | undefined {
  if (baseUrl !== undefined && !isAddress(baseUrl)) return ['baseUrl', 'must be an http or https address'];
  if (key !== undefined && !/^[A-Z][A-Z0-9_]{0,60}_(?:API_KEY|TOKEN|CLIENT_SECRET)$/.test(key))
    return ['key', 'must be the name of a variable that ends in _API_KEY, _TOKEN or _CLIENT_SECRET, not the key'];
  return undefined;
}

export const isAddress = (text: string): boolean => /^https?:$/.test(urlIn(text)?.protocol ?? '');
