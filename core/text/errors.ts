/**
 * The closed list of Vigil's errors. Each has a literal `name`: it is the string that a state machine's `ErrorEquals`
 * compares, and it survives bundlers and process borders, where classes do not. Compare by name, never by instanceof.
 *
 * Denied, cancelled, limit reached are outcomes of a run, not errors, and are not here.
 */
abstract class VigilError extends Error {
  abstract override readonly name: string;
}

/** The model's server is out of capacity or over our rate (HTTP 429). Try again later; the state machine does. */
export class ModelThrottled extends VigilError {
  override readonly name = 'ModelThrottled';
}

/** The model's server failed or broke off (5xx, connection lost, malformed stream). Try again later; the state machine does. */
export class ModelUnavailable extends VigilError {
  override readonly name = 'ModelUnavailable';
}

/** The model's server will never take this request (bad key, unknown model, content refused, context too long). Not retried. */
export class ModelRejected extends VigilError {
  override readonly name = 'ModelRejected';
}

/** The platform is wired wrongly (agent or tool missing, secret empty). Not retried: a deployment must mend it. */
export class ConfigurationError extends VigilError {
  override readonly name = 'ConfigurationError';
}

/**
 * Another invocation of CallModel makes this step. It may be a late one that nobody listens to, so this must not look like
 * an end: the next attempt finds what the other one stored.
 */
export class Superseded extends VigilError {
  override readonly name = 'Superseded';
}

/** The conversation changed more often than we could retry an optimistic write. Safe to try again. */
export class ConversationBusy extends VigilError {
  override readonly name = 'ConversationBusy';
}

/**
 * An attempt of a tool failed for a reason that may pass. The state machine tries it again by the tool's own retry rule;
 * after the last attempt the model reads the message as the call's result.
 */
export class ToolFailed extends VigilError {
  override readonly name = 'ToolFailed';
}

/** A tool failed in a way that neither a retry nor the model can mend. Not retried; the run ends `failed`. */
export class ToolTerminal extends VigilError {
  override readonly name = 'ToolTerminal';
}

/** An expected failure that the model should read and work around (page not found, amount too high). Never retried. */
export class TellModel extends VigilError {
  override readonly name = 'TellModel';
}

/** Somebody answered a callback that had its outcome already; `outcome` is the first one, if it was an answer. */
export class AlreadyAnswered extends VigilError {
  override readonly name = 'AlreadyAnswered';
  constructor(
    status: 'answered' | 'expired' | 'cancelled',
    readonly outcome?: unknown,
  ) {
    super(
      {
        answered: 'This was answered already; the first answer holds.',
        expired: 'The time to answer this is over.',
        cancelled: 'This is not asked any more.',
      }[status],
    );
  }
}

/** What was asked for does not go with the state that the run is in; nothing was changed. */
export class WrongState extends VigilError {
  override readonly name = 'WrongState';
}

/** What a caller sent cannot be used; `path` is the offending field, `others` are those that offend beside it. */
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

/** No such conversation for this user: it does not exist, or it is somebody else's. The two are not told apart. */
export class NotFound extends VigilError {
  override readonly name = 'NotFound';
}
