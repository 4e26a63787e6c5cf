/**
 * The kinds of problems that the HTTP API answers with. A kind is the end of a problem's `type` (RFC 9457), which programs compare: it never
 * changes, and kinds are only added. docs/api.md and the OpenAPI document have their table from here; the page translates those that its users
 * meet (`web/src/words/problem-words.ts`).
 *
 * `values` names the members of the problem's `values`.
 */
export const problemKinds = {
  'invalid-input': { status: 400, what: 'A field is invalid: `errors` names it' },
  'not-signed-in': { status: 401, what: 'The access token is missing, expired, or not a user’s' },
  'not-allowed': { status: 403, what: 'The token’s holder may not do this' },
  'owner-only': { status: 403, what: 'Only the owner of the conversation may do this' },
  'members-only': { status: 403, what: 'Only members of the conversation may do this, and watchers may not' },
  'not-an-approver': { status: 403, what: 'Other people decide about this approval' },
  'not-found': { status: 404, what: 'There is no such thing, or it is not yours' },
  'no-conversation': { status: 404, what: 'You have no such conversation' },
  'wrong-state': { status: 409, what: 'The state does not allow it' },
  'already-answered': { status: 409, what: 'The callback has an answer, which `outcome` is' },
  expired: { status: 409, what: 'The callback has expired' },
  withdrawn: { status: 409, what: 'The callback was withdrawn' },
  'run-not-waiting': { status: 409, what: 'The run of the callback has failed, and does not wait for its answer' },
  'agent-busy': { status: 409, what: 'The agent takes no messages during a run' },
  'too-many-unread': { status: 409, what: 'The agent has too many unread messages', values: ['most'] },
  'nothing-to-cancel': { status: 409, what: 'No run is in progress' },
  'not-retriable': { status: 409, what: 'The run cannot be retried' },
  'model-asks-to-wait': { status: 409, what: 'The server of the model has asked for the pause', values: ['until'] },
  'timer-over': { status: 409, what: 'The timer is over' },
  'timer-fires-once': { status: 409, what: 'The timer does not repeat' },
  'timer-in-code': { status: 409, what: 'The code declares what would change' },
  'not-offered': { status: 409, what: 'The conversation is not offered to you' },
  'owner-has-run': { status: 409, what: 'The owner cannot change during a run' },
  'owner-has-timers': { status: 409, what: 'The owner cannot change while the conversation has timers' },
  'owner-has-too-much': {
    status: 409,
    what: 'The owner cannot change, because the conversation has too many versions',
  },
  'owner-has-files': { status: 409, what: 'The owner cannot change, because the conversation has files' },
  'taken-over': { status: 409, what: 'Another person has taken the conversation over', values: ['who'] },
  'too-many-versions': { status: 409, what: 'The conversation has too many versions to be shared', values: ['most'] },
  'too-many-links': { status: 409, what: 'The conversation has too many links', values: ['most'] },
  'too-many-ignored': { status: 409, what: 'You ignore too many people and conversations', values: ['most'] },
  'too-many-devices': { status: 409, what: 'You have too many devices', values: ['most'] },
  'grants-ended': { status: 409, what: 'The grants of this sign-in have ended' },
  'bytes-missing': { status: 409, what: 'The file’s bytes have not arrived' },
  'unreadable-row': { status: 409, what: 'A row that is needed cannot be read' },
  'too-large': { status: 413, what: 'The body is too large' },
  'not-json': { status: 415, what: 'The body is not JSON' },
  'limit-reached': { status: 429, what: 'A limit of the user is reached, which `limit` names' },
  internal: { status: 500, what: 'An internal error. The request can be repeated' },
  misconfigured: { status: 500, what: 'The deployment is misconfigured' },
  busy: { status: 503, what: 'The conversation keeps changing. Repeat the request' },
  'newer-row': { status: 503, what: 'A later version has stored it, which is being deployed. Repeat the request' },
  'no-capacity': { status: 503, what: 'There is no capacity at the moment. Repeat the request' },
} as const satisfies Record<string, { status: number; what: string; values?: readonly string[] }>;

export type ProblemKind = keyof typeof problemKinds;
type KindsOf<Status> = {
  [Kind in ProblemKind]: (typeof problemKinds)[Kind]['status'] extends Status ? Kind : never;
}[ProblemKind];

/** What a sentence about a problem needs, for who translates it. */
export type ProblemValues = Readonly<Record<string, string | number>>;
/** The kind of an error with this status, and its values. */
export interface ProblemOf<Status> {
  kind?: KindsOf<Status>;
  values?: ProblemValues;
}

const prefix = 'urn:vigil:problem:';

/**
 * Returns the `type` of a kind of problems.
 *
 * @example
 * ```ts
 * import { typeOfProblem } from './core/base/state/problem-kinds';
 *
 * typeOfProblem('timer-over'); // → 'urn:vigil:problem:timer-over'
 * ```
 */
export const typeOfProblem = (kind: ProblemKind): string => prefix + kind;
