import { HttpServiceError } from './http-services';
import type { AwsRequest } from './integrations/aws-service';
import { isObject, type Json, type JsonObject } from './language/json';
import { childrenOf, parseXml, textOf, type XmlElement } from './xml';

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
  const answer = parseXml(text);
  if (!response.ok)
    throw new HttpServiceError(
      textOf(answer, 'Code') ?? `Http${response.status}`,
      textOf(answer, 'Message') ?? text,
      response.status,
      textOf(answer, 'RequestId'),
    );
  return fields(childrenOf(answer, `${action}Result`)[0]?.children ?? []);
}

const fields = (elements: XmlElement[]): JsonObject =>
  Object.fromEntries(elements.map((element) => [element.name, jsonOf(element)]));

/** The lists of SNS's answers: without members they look like an empty text. */
const lists = [
  'Endpoints',
  'Failed',
  'PhoneNumbers',
  'PlatformApplications',
  'Subscriptions',
  'Successful',
  'Tags',
  'Topics',
];

function jsonOf({ name, children, text }: XmlElement): Json {
  if (children.length === 0) return text.trim() === '' && lists.includes(name) ? [] : text;
  if (children.every((child) => child.name === 'member')) return children.map(jsonOf);
  if (!children.every((child) => child.name === 'entry')) return fields(children);
  return Object.fromEntries(children.map((entry) => [textOf(entry, 'key')!, textOf(entry, 'value') ?? '']));
}

/** Lists, maps and structures become fields with longer names. */
function flatten(form: URLSearchParams, name: string, value: Json): void {
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries()) flatten(form, `${name}.member.${i + 1}`, each);
  } else if (!isObject(value)) {
    if (value !== null) form.set(name, String(value));
  } else if (/(^|\.)MessageAttributes$/.test(name)) {
    for (const [i, [key, each]] of Object.entries(value).entries()) {
      form.set(`${name}.entry.${i + 1}.Name`, key);
      flatten(form, `${name}.entry.${i + 1}.Value`, each);
    }
  } else for (const [key, each] of Object.entries(value)) flatten(form, `${name}.${key}`, each);
}
