/** An error that a service answers with, by the name that the SDKs look for. */
export class AwsError extends Error {
  constructor(
    override readonly name: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}
