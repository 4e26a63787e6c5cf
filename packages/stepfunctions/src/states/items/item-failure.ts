import { errorNames, StateFailure } from '../../language/errors';

export function readerFailure(cause: string): never {
  throw new StateFailure(errorNames.itemReaderFailed, cause, { bare: true });
}
