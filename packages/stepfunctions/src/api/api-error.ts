/** An error that the API answers with: its type as on AWS, and a message for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly type: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

export const typeNotSupported = () =>
  new ApiError('StateMachineTypeNotSupported', 'This operation is not supported by this type of state machine');

/** Returns the error of AWS's deserializer for a value of another type. */
export function wrongType(value: unknown, expected: string): ApiError {
  const say = (message: string) => new ApiError('SerializationException', message);
  if (Array.isArray(value)) return say('Start of list found where not expected');
  if (typeof value === 'object') return say('Start of structure or map found where not expected.');
  const given = typeof value === 'string' ? 'STRING_VALUE' : typeof value === 'boolean' ? 'TRUE_VALUE' : 'NUMBER_VALUE';
  return say(`${value === false ? 'FALSE_VALUE' : given} can not be converted to ${expected}`);
}

export const validationFailed = (message: string) => new ApiError('ValidationException', message);
