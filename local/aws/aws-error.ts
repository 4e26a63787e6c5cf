/** An error response of a service, with the name that the SDKs expect. */
export class AwsError extends Error {
  constructor(
    override readonly name: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}
