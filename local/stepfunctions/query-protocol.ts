import { HttpServiceError } from './http-services';
import type { AwsRequest } from './integrations/aws-service';
import type { JsonObject } from './language/json';

/** SNS's protocol: a form in, XML out. */
export async function queryProtocol(
  endpoint: string,
  { service, action, parameters, signal }: AwsRequest,
): Promise<JsonObject> {
  const form = new URLSearchParams({ Action: action, Version: '2010-03-31' });
  for (const [name, value] of Object.entries(parameters))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  const response = await fetch(`${endpoint}/`, {
    method: 'POST',
    body: form.toString(),
    signal,
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      authorization: `AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=none`,
    },
  });
  const text = await response.text();
  const tag = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  if (!response.ok)
    throw new HttpServiceError(
      tag('Code') ?? `Http${response.status}`,
      tag('Message') ?? text,
      response.status,
      tag('RequestId'),
    );
  const result: JsonObject = {};
  for (const [, name, value] of (tag2(text, `${action}Result`) ?? '').matchAll(/<(\w+)>([^<]*)<\/\1>/g))
    result[name!] = value!;
  return result;
}

const tag2 = (text: string, name: string) => new RegExp(`<${name}>([sS]*)</${name}>`).exec(text)?.[1];
