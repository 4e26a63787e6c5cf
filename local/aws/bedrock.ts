import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { readBody } from '../app/http-server';
import type { Place } from '../template/physical-ids';
import type { ServiceHandler } from './aws-endpoint';
import { AwsError } from './aws-error';

export interface BedrockOptions {
  place: Place;
  variables: () => Readonly<Record<string, string>>;
  /** Throws if the caller may not perform `action` on this model. */
  authorize: (accessKeyId: string, action: string, resource: string) => void;
}

const bodyLimit = 30_000_000;
const conversePath = /^\/model\/([^/]+)\/converse-stream$/;

/**
 * Bedrock's ConverseStream. Calls are checked against the deployed policies, then forwarded to BEDROCK_BASE_URL, or to
 * Bedrock itself with the key in AWS_BEARER_TOKEN_BEDROCK.
 */
export function bedrockHandler({ place, variables, authorize }: BedrockOptions): ServiceHandler {
  return async (request, response, { accessKeyId }) => {
    const path = new URL(request.url ?? '', 'http://local').pathname;
    const [, encoded] = conversePath.exec(path) ?? [];
    if (!encoded || request.method !== 'POST')
      throw new AwsError('UnknownOperationException', 'The local Bedrock serves ConverseStream only.', 404);
    for (const arn of modelArns(place, decodeURIComponent(encoded)))
      authorize(accessKeyId, 'bedrock:InvokeModelWithResponseStream', arn);
    const body = await readBody(request, bodyLimit);
    const guardrail = guardrailIn(body);
    if (guardrail) authorize(accessKeyId, 'bedrock:ApplyGuardrail', guardrailArn(place, guardrail));
    const { BEDROCK_BASE_URL: baseUrl, AWS_BEARER_TOKEN_BEDROCK: key } = variables();
    const base = baseUrl || (key && `https://bedrock-runtime.${place.region}.amazonaws.com`);
    if (!base) {
      const what = 'The local cloud has no access to Bedrock: set AWS_BEARER_TOKEN_BEDROCK to an API key.';
      throw new AwsError('ServiceUnavailableException', what, 503);
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await fetch(base.replace(/\/$/, '') + path, {
      method: 'POST',
      body: new Uint8Array(body),
      signal: gone.signal,
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    }).catch(() => {
      throw new AwsError('ServiceUnavailableException', 'Bedrock does not respond.', 503);
    });
    const kept = ['content-type', 'x-amzn-errortype'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value ? [[name, value] as const] : [];
    });
    response.writeHead(answer.status, Object.fromEntries(kept));
    if (!answer.body) return void response.end();
    // An interrupted response is interrupted for the function, too.
    Readable.fromWeb(answer.body as ReadableStream)
      .once('error', () => response.destroy())
      .pipe(response);
  };
}

/** Returns the id or the ARN of the request's guardrail. Bedrock refuses another body itself. */
function guardrailIn(body: Buffer): string | undefined {
  try {
    return JSON.parse(body.toString()).guardrailConfig?.guardrailIdentifier;
  } catch {
    return undefined;
  }
}

const guardrailArn = ({ region, accountId }: Place, id: string): string =>
  id.startsWith('arn:') ? id : `arn:aws:bedrock:${region}:${accountId}:guardrail/${id}`;

/** Returns the ARNs that need the right: those of an inference profile and its model. */
function modelArns({ region, accountId }: Place, name: string): string[] {
  // The models behind an application inference profile are not known here.
  if (name.startsWith('arn:')) return [name];
  const [, model] = /^(?:us-gov|us|eu|apac|ap|au|jp|ca|sa|global)\.(.+)$/.exec(name) ?? [];
  if (!model) return [`arn:aws:bedrock:${region}::foundation-model/${name}`];
  return [
    `arn:aws:bedrock:${region}:${accountId}:inference-profile/${name}`,
    `arn:aws:bedrock:${region}::foundation-model/${model}`,
  ];
}
