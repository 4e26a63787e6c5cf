import { createRoute, type RouteConfig } from '@hono/zod-openapi';
import type { Role } from '../../core/conversations/members/role';
import { mayAct } from './machines';

/** The groups of operations. A generated client has a class or a module for each. */
export const tags = {
  Agents: 'The agents of this deployment',
  Conversations: 'Conversations: start, list, read, arrange, search and delete them',
  Members: 'Those with whom a conversation is shared: members who write, and watchers who read',
  Files: 'What messages refer to: upload files, and get addresses of their bytes',
  Runs: 'What an agent does about a message: send one, cancel, retry, fork',
  Approvals: 'What waits for a person: approvals and questions',
  Timers: 'Reminders and what else happens later',
  Webhooks: 'Deliveries of outside systems',
  Live: 'Changes as they happen: the live view by WebSocket, or server-sent events',
  User: 'What Vigil keeps for you: a home page, memories, usage, settings',
};

/** The name of a module's group. */
type OfModule = string & {};

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Problem details, or what the gateway answers before a request reaches the API. */
export const refusal = (description: string) => {
  const schema = { anyOf: [ref('Problem'), ref('GatewayError')] };
  return { description, content: { 'application/problem+json': { schema }, 'application/json': { schema } } };
};
const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: ref('Problem') } },
});

/** The answers that operations may give besides their own: shared responses by their status. */
export const refusals = {
  400: ['BadRequest', problem('A field is invalid: `errors` names it')],
  401: ['Unauthorized', refusal('The access token is missing, invalid or expired, or not a user’s')],
  403: ['Forbidden', refusal('The token lacks a scope, or its holder may not do this')],
  404: ['NotFound', problem('You have no such conversation')],
  413: ['ContentTooLarge', refusal('The body is too large')],
  415: ['UnsupportedMediaType', problem('The body is not JSON')],
  429: [
    'TooManyRequests',
    refusal('A limit of yours is reached, which `limit` names, or the API’s rate. Nothing was changed'),
  ],
  500: ['InternalError', refusal('An internal error. The request can be repeated')],
  503: ['Unavailable', refusal('No capacity, or the conversation keeps changing. Repeat the request')],
} as const;

type Status = keyof typeof refusals;

/**
 * What a person must be in the conversation: `core/conversations/members/role.ts` checks it. `approver`: one who decides about the approval, or the
 * owner. `person`: one of those whom its agent lets step in. docs/members.md and its test have it from here.
 */
export type Needs = Role | 'approver' | 'person' | 'anybody';
const needsExtension = 'x-vigil-needs';

/**
 * Defines an operation. It is for signed-in users, unless its `security` is empty.
 *
 * @param operationId its public name: that of a method in generated clients. It does not change.
 * @param of its own answers, and those refusals that the shared words do not describe.
 */
export function route<Path extends string, Of extends Omit<RouteConfig, 'path'> & { path: Path; needs?: Needs }>(
  operationId: string,
  tag: keyof typeof tags | OfModule,
  of: Of,
) {
  const { method, path, request = {}, security = [{ bearer: [] }], needs } = of;
  if (path.startsWith('/conversations/{id}') && !needs) throw new Error(`${operationId}: say who may do it.`);
  const isSignedIn = security.length > 0;
  const statuses: Status[] = [
    400,
    ...(isSignedIn ? ([401, 403] as const) : []),
    ...(path.startsWith('/conversations/{id}') ? ([404] as const) : []),
    ...(request.body ? ([413, 415] as const) : []),
    ...([429, 500, 503] as const),
  ];
  const shared = statuses.map((status) => [status, { $ref: `#/components/responses/${refusals[status][0]}` }]);
  return createRoute<Path, Of>({
    ...of,
    needs: undefined,
    operationId,
    tags: [tag],
    security,
    ...(needs && { [needsExtension]: needs }),
    ...(mayAct(method, path) && { parameters: [{ $ref: '#/components/parameters/OnBehalfOf' }] }),
    responses: { ...Object.fromEntries(shared), ...of.responses },
  });
}
