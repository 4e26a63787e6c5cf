import { HTTPException } from 'hono/http-exception';
import type { Caller } from '../../core/conversations/agent/approvers';
import { noConversation } from '../../core/conversations/store/change-conversation';
import { readShownMeta, type Table } from '../../core/conversations/store/table';
import { BadRequest } from '../problems';

/** The scope of a client that is no user: another backend, with a token of the client credentials flow. */
const actForUsers = 'vigil/act-for-users';
export const onBehalfOf = 'vigil-on-behalf-of';

/** A user's id: the `sub` of their tokens. */
const userId = /^[\w.:|@+-]{1,128}$/;

/** The rights of a machine: to start conversations, and read and cancel those that it has started. It answers and decides nothing. */
const may =
  /^(?:POST \/conversations|GET \/conversations\/[^/]+(?:\/timeline|\/stream|\/calls(?:\/[^/]+)?)?|POST \/conversations\/[^/]+\/cancel)$/;

/** Whether a machine may make a request: a method, with a path or its template. */
export const mayAct = (method: string, path: string): boolean => may.test(`${method.toUpperCase()} ${path}`);

/** Returns the machine's client id; undefined for a user's token. */
export const machineIn = ({ scope = '', client_id: client }: Caller['claims']): string | undefined =>
  scope.split(' ').includes(actForUsers) ? client : undefined;

interface Asked {
  method: string;
  path: string;
  user: string | undefined;
}

/**
 * Checks that a machine may make a request for a user.
 *
 * @returns the user.
 * @throws HTTPException 403 if the deployment lets no machine act for users, or a machine may not make this request.
 * @throws BadRequest if the header does not name a user.
 * @throws NotFound if the machine has not started the conversation for this user.
 */
export async function checkMachine(
  { table, machines }: { table: Table; machines: boolean },
  client: string,
  { method, path, user }: Asked,
): Promise<string> {
  if (!machines)
    throw new HTTPException(403, { message: 'No machine may act for users here. The operator sets VIGIL_MACHINES.' });
  if (!user || !userId.test(user))
    throw new BadRequest([
      { path: onBehalfOf, message: 'set this header to the id of a user, the `sub` of their tokens' },
    ]);
  if (!mayAct(method, path))
    throw new HTTPException(403, {
      message: 'A machine may start conversations, and read and cancel those that it has started. Nothing else.',
    });
  const [, id] = /^\/conversations\/([^/]+)/.exec(path) ?? [];
  if (id === undefined) return user;
  const meta = await readShownMeta(table, id);
  if (meta?.owner !== user || meta.startedBy !== client) throw noConversation(id);
  return user;
}
