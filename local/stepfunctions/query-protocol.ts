import { HttpServiceError } from './http-services';
import type { AwsRequest } from './integrations/aws-service';
import { isObject, type Json, type JsonObject } from './language/json';

/** SNS's protocol: a form in, XML out. */
export async function queryProtocol(
  endpoint: string,
  { service, action, parameters, signal }: AwsRequest,
): Promise<JsonObject> {
  const form = new URLSearchParams({ Action: action, Version: '2010-03-31' });
  for (const [name, value] of Object.entries(parameters)) flatten(form, name, value);
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

const tag2 = (text: string, name: string) => new RegExp(`<${name}>([^]*)</${name}>`).exec(text)?.[1];

/** Lists, maps and structures become fields with longer names. */
function flatten(form: URLSearchParams, name: string, value: Json): void {
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries()) flatten(form, `${name}.member.${i + 1}`, each);
  } else if (!isObject(value)) {
    if (value !== null) form.set(name, String(value));
  } else if (name === 'MessageAttributes') {
    for (const [i, [key, each]] of Object.entries(value).entries()) {
      form.set(`${name}.entry.${i + 1}.Name`, key);
      flatten(form, `${name}.entry.${i + 1}.Value`, each);
    }
  } else for (const [key, each] of Object.entries(value)) flatten(form, `${name}.${key}`, each);
}
