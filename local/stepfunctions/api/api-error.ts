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

export const validationFailed = (message: string) => new ApiError('ValidationException', message);
