// core/base/text: errors, ids, and how words are cut and compared.

import type { ServerRound, ServerWorks } from '../state/isolated-call';
import type { ProblemOf } from '../state/problem-kinds';

/**
 * The closed list of Vigil's errors. Compare them by `name`, never by instanceof: a state machine's `ErrorEquals` compares the name,
 * and names survive bundlers and process boundaries, where classes do not.
 *
 * A denied approval, a cancelled run and a reached limit are outcomes, not errors.
 */
abstract class VigilError extends Error {
  abstract override readonly name: string;
}

/** An error of a server that may pass. */
abstract class PassingError extends VigilError {
  /** The server asks not to be asked again before. */
  readonly notBefore?: Date;
  constructor(message: string, { notBefore, ...options }: ErrorOptions & { notBefore?: Date } = {}) {
    super(message, options);
    this.notBefore = notBefore;
  }
}

/** An error of a model's server. The run waits and asks again, for days (`outageAfter`). */
abstract class PassingModelError extends PassingError {
  /** A person has to act before it passes. If the agent has another model, that one is asked at once. */
  readonly isLasting?: boolean;
  constructor(
    message: string,
    { isLasting, ...options }: ErrorOptions & { notBefore?: Date; isLasting?: boolean } = {},
  ) {
    super(message, options);
    this.isLasting = isLasting;
  }
}

/** The model's server has no capacity, the rate limit is exceeded (HTTP 429), or a quota or credit is used up. */
export class ModelThrottled extends PassingModelError {
  override readonly name = 'ModelThrottled';
}

/** The model's server failed (5xx, connection lost). */
export class ModelUnavailable extends PassingModelError {
  override readonly name = 'ModelUnavailable';
}

/** The provider makes the reply in the background, and it is not complete. The execution waits for it. */
export class ReplyPending extends VigilError {
  override readonly name = 'ReplyPending';
  /** Whether people have seen a part of its text. */
  isShown?: boolean;
}

/** The model's server answered with something that is no reply, and may have been paid for it. It is asked twice more. */
export class ModelUnreadable extends VigilError {
  override readonly name = 'ModelUnreadable';
}

/**
 * The model's server will never accept this request (bad key, unknown model, content refused, context too long). The run fails, unless the
 * agent has another model and `isLasting` says that the request is not the reason.
 */
export class ModelRejected extends VigilError {
  override readonly name = 'ModelRejected';
  /** The server refuses the deployment: its key, or the model that it names. */
  readonly isLasting?: boolean;
  /** Set if the request is too long: what the server says about its tokens. A shorter one may be accepted. */
  readonly tooLong?: TooLong;
  constructor(
    message: string,
    { tooLong, isLasting, ...options }: ErrorOptions & { tooLong?: TooLong; isLasting?: boolean } = {},
  ) {
    super(message, options);
    this.tooLong = tooLong;
    this.isLasting = isLasting;
  }
}

/** The tokens that a model's window has, and those that a request needed; as far as its server says so. */
export interface TooLong {
  most?: number;
  needed?: number;
}

/** A guard failed or took too long, several times in a row. What it guards stays closed: the state machine retries the step twice. */
export class GuardFailed extends VigilError {
  override readonly name = 'GuardFailed';
}

/**
 * The deployment is misconfigured (agent or tool missing, secret empty). Not retried; a deployment must fix it.
 *
 * @example
 * ```ts
 * import { ConfigurationError } from 'vigil';
 *
 * function shopUrl(): string {
 *   if (!process.env.SHOP_URL) throw new ConfigurationError('SHOP_URL is not set: deploy with the address of the shop.');
 *   return process.env.SHOP_URL;
 * }
 * shopUrl(); // throws SHOP_URL is not set
 * ```
 */
export class ConfigurationError extends VigilError {
  override readonly name = 'ConfigurationError';
}

/**
 * Another invocation of CallModel has taken over this step. The state machine may no longer be waiting for that one, so this
 * invocation fails and is retried: the next attempt finds what the other one stored.
 */
export class Superseded extends VigilError {
  override readonly name = 'Superseded';
}

/**
 * AWS has no capacity at the moment: a service throttles. Or a server that a tool uses has asked for a pause, which is not over. The state
 * machine retries for hours, and that counts as no attempt of a tool.
 */
export class Throttled extends VigilError {
  override readonly name = 'Throttled';
}

/** An optimistic write lost too many conflicts, or the table is busy. It is safe to try again. */
export class ConversationBusy extends VigilError {
  override readonly name = 'ConversationBusy';
}

/** A server asks the user in the middle of a tool call, which is made again with the answer, or continued if there is a `round`. */
export class AsksUser extends VigilError {
  override readonly name = 'AsksUser';
  constructor(
    readonly question: { message: string; form: Record<string, unknown> },
    readonly round?: ServerRound,
  ) {
    super('The server asks the user.');
  }
}

/** A server has not finished with a call. It is asked again later, and the call is not made again. */
export class ServerWorking extends VigilError {
  override readonly name = 'ServerWorking';
  constructor(readonly works: ServerWorks) {
    super('The server works on the call.');
  }
}

/** A server that has worked on a call for some time will never give its result. No other attempt of the tool follows. */
export class ResultLost extends VigilError {
  override readonly name = 'ResultLost';
}

/**
 * An attempt of a tool has no answer, and may have had its effect: its function or server has ended, or has said what cannot be followed.
 * It counts as any error that is not Vigil's, but its words are told.
 */
export class AttemptLost extends VigilError {
  override readonly name = 'AttemptLost';
}

/**
 * An attempt of a tool failed without effect, for a reason that may pass. The state machine retries it as the tool's `retry` says.
 * After the last attempt, the model reads the message as the call's result. With `notBefore`, no attempt is made sooner.
 *
 * @example
 * ```ts
 * import { retryAfter, ToolFailed } from 'vigil';
 *
 * // For `execute`: the shop has refused a request, so that nothing has happened.
 * function refused({ status, headers }: Response): ToolFailed {
 *   return new ToolFailed(`The shop answered ${status}.`, { notBefore: retryAfter(headers, new Date()) });
 * }
 * const error = refused(new Response('', { status: 503, headers: { 'retry-after': '60' } }));
 * error.message; // → 'The shop answered 503.'
 * error.notBefore! > new Date(); // → true
 * ```
 */
export class ToolFailed extends PassingError {
  override readonly name = 'ToolFailed';
}

/**
 * A tool failed in a way that neither a retry nor the model can fix. Not retried; the run ends as `failed`.
 *
 * @example
 * ```ts
 * import { ToolTerminal } from 'vigil';
 *
 * function assertOpen(account: { closed: boolean }): void {
 *   if (account.closed) throw new ToolTerminal('The account of the museum is closed.');
 * }
 * assertOpen({ closed: true }); // throws The account of the museum is closed.
 * ```
 */
export class ToolTerminal extends VigilError {
  override readonly name = 'ToolTerminal';
}

/**
 * A call must be approved after all, because of what was done before: its amount, with those of today, is above the limit. Thrown by a
 * tool with the effect `read` or `table`, before it returns its effect. The person reads the message, so it names no argument.
 *
 * @example
 * ```ts
 * import { NeedsApproval } from 'vigil';
 *
 * // For `execute`, with the amounts of the day in cents. `approved` is the context's.
 * function assertAllowed(cents: number, refundedToday: number, approved: boolean): void {
 *   if (cents + refundedToday > 50_000 && !approved) throw new NeedsApproval('More than $500 are refunded today.');
 * }
 * assertAllowed(2_000, 49_000, true); // → undefined
 * assertAllowed(2_000, 49_000, false); // throws More than $500 are refunded today.
 * ```
 */
export class NeedsApproval extends VigilError {
  override readonly name = 'NeedsApproval';
}

/**
 * An expected failure that the model should read and work around (page not found, amount too high). Never retried.
 *
 * @example
 * ```ts
 * import { TellModel } from 'vigil';
 *
 * function numberOf(ticket: string): number {
 *   if (!/^T-\d+$/.test(ticket)) throw new TellModel(`"${ticket}" is no ticket: it looks like T-17.`);
 *   return Number(ticket.slice(2));
 * }
 * numberOf('T-4'); // → 4
 * numberOf('4'); // throws "4" is no ticket
 * ```
 */
export class TellModel extends VigilError {
  override readonly name = 'TellModel';
}

/** The callback already has its outcome. `outcome` is the first answer, if there was one. */
export class AlreadyAnswered extends VigilError {
  override readonly name = 'AlreadyAnswered';
  constructor(
    readonly status: 'answered' | 'expired' | 'cancelled',
    readonly outcome?: unknown,
  ) {
    super(
      {
        answered: 'This has already been answered; the first answer holds.',
        expired: 'This has expired and can no longer be answered.',
        cancelled: 'This was withdrawn and can no longer be answered.',
      }[status],
    );
  }
}

/** The run's state does not allow the request. Nothing was changed. */
export class WrongState extends VigilError {
  override readonly name = 'WrongState';
  constructor(
    message: string,
    readonly of: ProblemOf<409> = {},
  ) {
    super(message);
  }
}

/** A limit of a user is reached, so the request was refused. Nothing was changed. */
export class LimitReached extends VigilError {
  override readonly name = 'LimitReached';
  constructor(
    readonly limit: { name: string; used: number; most: number; variable?: string },
    message: string,
  ) {
    super(message);
  }
}

/** The caller's input is invalid. `path` is the first invalid field, `others` are further ones. */
export class InvalidInput extends VigilError {
  override readonly name = 'InvalidInput';
  constructor(
    readonly path: string,
    message: string,
    readonly others: { path: string; message: string }[] = [],
  ) {
    super(message);
  }
}

/**
 * A row is not what its schema says: an earlier version has stored it, or it is damaged. What needs the row stops, and guesses nothing. A
 * write of such a row is refused with the same error. The message names the row and the field, and no value.
 */
export class UnreadableRow extends VigilError {
  override readonly name = 'UnreadableRow';
  constructor(
    readonly sk: string,
    readonly field: string,
    problem: string,
    verb: 'read' | 'written' = 'read',
  ) {
    super(`The row ${sk} cannot be ${verb}: its field \`${field}\` is not valid (${problem}).`);
  }

  /** @param error what the row's schema says, or that of its field. */
  static of(
    sk: string,
    { issues }: { issues: readonly { path: PropertyKey[]; message: string }[] },
    verb: 'read' | 'written',
    field?: string,
  ) {
    const { path, message } = issues[0]!;
    // Deeper names may be a person's.
    const named = [...(field === undefined ? [] : [field]), ...path].slice(0, 3).join('.');
    return new UnreadableRow(sk, named || 'row', message, verb);
  }
}

/**
 * A later version of Vigil has stored the row in a format that this one would misread. What needs the row stops, is tried again, and repairs
 * nothing: functions of both versions run while one is deployed.
 */
export class NewerRow extends VigilError {
  override readonly name = 'NewerRow';
  readonly format: string;
  constructor(sk: string, format: unknown, known: number) {
    const said = Number.isInteger(format) ? `${format}` : 'no number';
    super(
      `A later version of Vigil has written the row ${sk}: its format is ${said}, and this version knows ${known}. Deploy the later version again.`,
    );
    this.format = said;
  }
}

/** The user may see the thing, but not do this with it. */
export class NotAllowed extends VigilError {
  override readonly name = 'NotAllowed';
  constructor(
    message: string,
    readonly of: ProblemOf<403> = {},
  ) {
    super(message);
  }
}

/** The user has no such thing. It does not exist or belongs to another user; the error does not say which. */
export class NotFound extends VigilError {
  override readonly name = 'NotFound';
  constructor(
    message: string,
    readonly of: ProblemOf<404> = {},
  ) {
    super(message);
  }
}

/** Whether no other attempt of the tool follows such an error. */
export const isFinal = ({ name }: Error): boolean => name === 'ToolTerminal' || name === 'ConfigurationError';
