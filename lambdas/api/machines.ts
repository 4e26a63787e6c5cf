import { HTTPException } from 'hono/http-exception';
import { conversationOfTimer } from '../../core/base/text/ids';
import { deploymentUser } from '../../core/conversations/agent/agent';
import type { Caller } from '../../core/conversations/agent/approvers';
import { noConversation } from '../../core/conversations/store/change-conversation';
import { readShownMeta, type Table } from '../../core/conversations/store/table';
import { BadRequest } from '../problems';

/** The scope of a client that is no user: another backend, with a token of the client credentials flow. */
const actForUsers = 'vigil/act-for-users';
export const onBehalfOf = 'vigil-on-behalf-of';

/** A user's id: the `sub` of their tokens. */
const userId = /^[\w.:|@+-]{1,128}$/;

/**
 * The rights of a machine: to start conversations and timers, read and cancel the conversations, and change and cancel the timers that it has
 * started. It answers and decides nothing.
 */
const may =
  /^(?:POST \/(?:conversations|timers)|(?:PATCH|DELETE) \/timers\/[^/]+|POST \/timers\/[^/]+\/run|GET \/conversations\/[^/]+(?:\/timeline|\/stream|\/calls(?:\/[^/]+)?)?|POST \/conversations\/[^/]+\/cancel)$/;

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
 * @throws NotFound if the machine has not started the conversation for this user, unless that is the deployment itself.
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
      message:
        'A machine may start conversations and timers, and read, change and cancel those that it has started. Nothing else.',
    });
  const [, kind, part] = /^\/(conversations|timers)\/([^/]+)/.exec(path) ?? [];
  if (part === undefined) return user;
  const id = kind === 'timers' ? conversationOfTimer(part) : part;
  const meta = await readShownMeta(table, id);
  const isStarted = meta?.startedBy === client || user === deploymentUser;
  if (meta?.owner !== user || !isStarted) throw noConversation(id);
  return user;
}
