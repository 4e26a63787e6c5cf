import { randomUUID } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Clock } from 'vigil-stepfunctions';
import { readBody, send } from '../app/http-server';
import type { ServiceHandler } from './aws-endpoint';
import { AwsError } from './aws-error';

/** SNS Publish. A message becomes one line of `<state>/published.jsonl`, because nothing subscribes on a laptop. */
export interface SnsOptions {
  /** The ARNs of the topics. */
  topics: () => readonly string[];
  stateDirectory: string;
  clock: Clock;
  authorize: (accessKeyId: string, action: string, topicArn: string) => void;
}

const bodyLimit = 300_000;
const deduplicationMs = 300_000;

interface Published {
  messageId: string;
  topicArn: string;
  publishedAt: string;
  deduplicationId?: string;
  subject?: string;
  message: string;
  attributes: Record<string, string>;
}

export async function snsHandler({ topics, stateDirectory, clock, authorize }: SnsOptions): Promise<ServiceHandler> {
  const file = join(stateDirectory, 'published.jsonl');
  const recent = await readRecent(file, clock.now() - deduplicationMs);

  return async (request, response, { accessKeyId }) => {
    try {
      const form = new URLSearchParams((await readBody(request, bodyLimit)).toString());
      const action = form.get('Action');
      if (action !== 'Publish') throw new AwsError('InvalidAction', `The local SNS serves Publish, not ${action}.`);
      const topicArn = form.get('TopicArn') ?? '';
      if (!topics().includes(topicArn)) throw new AwsError('NotFound', 'Topic does not exist', 404);
      authorize(accessKeyId, 'sns:Publish', topicArn);
      sendXml(response, 200, 'Publish', `<MessageId>${await publish(topicArn, form)}</MessageId>`);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      sendError(response, error);
    }
  };

  async function publish(topicArn: string, form: URLSearchParams): Promise<string> {
    const deduplicationId = form.get('MessageDeduplicationId') ?? undefined;
    if (topicArn.endsWith('.fifo') && !form.get('MessageGroupId')) {
      throw new AwsError(
        'InvalidParameter',
        'Invalid parameter: The MessageGroupId parameter is required for FIFO topics',
      );
    }
    const message: Published = {
      messageId: randomUUID(),
      topicArn,
      publishedAt: new Date(clock.now()).toISOString(),
      deduplicationId,
      subject: form.get('Subject') ?? undefined,
      message: form.get('Message') ?? '',
      attributes: attributesOf(form),
    };
    const known = deduplicationId ? recent.get(`${topicArn} ${deduplicationId}`) : undefined;
    if (known && known.at > clock.now() - deduplicationMs) return known.messageId;
    if (deduplicationId)
      recent.set(`${topicArn} ${deduplicationId}`, { at: clock.now(), messageId: message.messageId });
    await appendFile(file, `${JSON.stringify(message)}\n`);
    return message.messageId;
  }
}

/** A FIFO topic drops duplicates within five minutes, also across a restart. */
async function readRecent(file: string, since: number): Promise<Map<string, { at: number; messageId: string }>> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(-1_000);
  const recent = new Map<string, { at: number; messageId: string }>();
  for (const line of lines) {
    const { topicArn, deduplicationId, publishedAt, messageId } = parseLine(line);
    const at = Date.parse(publishedAt ?? '');
    if (messageId && deduplicationId && at > since) recent.set(`${topicArn} ${deduplicationId}`, { at, messageId });
  }
  return recent;
}

/** A kill may have truncated the last line. */
function parseLine(line: string): Partial<Published> {
  try {
    return JSON.parse(line) as Published;
  } catch {
    return {};
  }
}

function attributesOf(form: URLSearchParams): Record<string, string> {
  const found: Record<string, string> = {};
  for (let index = 1; index <= 100; index++) {
    const entry = `MessageAttributes.entry.${index}`;
    const name = form.get(`${entry}.Name`);
    if (!name) break;
    found[name] = form.get(`${entry}.Value.StringValue`) ?? '';
  }
  return found;
}

function sendXml(response: ServerResponse, status: number, action: string, result: string): void {
  const inner = `<${action}Result>${result}</${action}Result><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata>`;
  const xml = `<${action}Response xmlns="http://sns.amazonaws.com/doc/2010-03-31/">${inner}</${action}Response>`;
  send(response, status, xml, { 'content-type': 'text/xml' });
}

function sendError(response: ServerResponse, { name, message, status }: AwsError): void {
  // SNS has its own name for a denied request.
  const refused = name === 'AccessDeniedException';
  const escaped = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const error = `<Error><Type>Sender</Type><Code>${refused ? 'AuthorizationError' : name}</Code><Message>${escaped}</Message></Error>`;
  const xml = `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/">${error}</ErrorResponse>`;
  send(response, refused ? 403 : status, xml, { 'content-type': 'text/xml' });
}
