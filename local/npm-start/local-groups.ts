import { type Groups, userName } from '../http-api/identity';

/**
 * Returns the groups of the page's users, from VIGIL_LOCAL_GROUPS.
 *
 * @throws Error in one line if it is not JSON like `{"grace": ["finance"]}`.
 */
export function localGroups({ VIGIL_LOCAL_GROUPS: text }: NodeJS.ProcessEnv): Groups {
  if (!text) return {};
  const groups = parse(text);
  if (typeof groups === 'object' && groups !== null && Object.values(groups).every(areNames)) return groups as Groups;
  throw new Error('VIGIL_LOCAL_GROUPS must be JSON with the groups of each user, like {"grace": ["finance"]}.');
}

const areNames = (all: unknown): boolean =>
  Array.isArray(all) && all.every((one) => typeof one === 'string' && userName.test(one));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
