import { listen, readJson } from '../../../local/model-server/listen';

/** Secrets Manager for a unit test, over HTTP. Redirects the AWS clients of this process to it. */
export async function secretsFor(values: Record<string, string | undefined>): Promise<{ stop(): Promise<void> }> {
  const { url, stop } = await listen(async (request, response) => {
    const { SecretId } = (await readJson(request)) as { SecretId: string };
    const value = values[SecretId];
    const missing = { __type: 'ResourceNotFoundException', message: 'no value' };
    response
      .writeHead(value === undefined ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' })
      .end(JSON.stringify(value === undefined ? missing : { ARN: SecretId, SecretString: value }));
  });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_MAX_ATTEMPTS: '1',
  });
  return { stop };
}
