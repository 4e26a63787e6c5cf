import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineAgent } from '../core/conversations/agent/agent';
import { callIdOf } from '../core/conversations/calls/call';
import type { Table } from '../core/conversations/store/table';
import { runTool } from '../core/machines/loop/run-tool';
import { viewConversation } from '../core/people/views/view';
import { stepsIn } from '../test/support/tables/steps';
import { startTable } from '../test/support/tables/table';
import { reminder } from './reminder';

const now = new Date('2026-03-01T08:00:00Z');
const agent = defineAgent({ name: 'a', purpose: 'p', instructions: 'i', model: 'm', tools: [reminder] });

describe('the reminder tool, where a topic is configured', () => {
  let table: Table & { stop(): Promise<void> };
  let sns: Server;
  const published: URLSearchParams[] = [];
  let failures = 0;

  beforeAll(async () => {
    table = await startTable();
    sns = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      if (failures-- > 0) return void response.writeHead(503).end();
      published.push(new URLSearchParams(body));
      const answer = '<PublishResponse><PublishResult><MessageId>1</MessageId></PublishResult></PublishResponse>';
      response.writeHead(200, { 'content-type': 'text/xml' }).end(answer);
    });
    await new Promise<void>((resolve) => sns.listen(0, '127.0.0.1', resolve));
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SNS: `http://127.0.0.1:${(sns.address() as AddressInfo).port}`,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_MAX_ATTEMPTS: '1',
    });
  });
  afterAll(async () => {
    await table.stop();
    sns.closeAllConnections();
    sns.close();
  });
  beforeEach(() => {
    published.length = 0;
    failures = 0;
  });

  async function givenCall(id: string) {
    const { given, begin, commit } = stepsIn(table, now, agent);
    const { at } = await given(id, 'Remind me');
    const toolCalls = [{ id: 'c', name: 'reminder', arguments: '{"message":"Tea"}' }];
    await commit(at, await begin(at), { text: '', toolCalls });
    return { conversationId: id, runId: at.runId, callId: callIdOf(at.runId, 1, 0) };
  }
  const texts = async (id: string) =>
    (await viewConversation(table, id, 'ada')).messages.map(({ text }) => text).filter(Boolean);

  test("publishes to the topic as well, with the call's id on a FIFO topic, and once: a second invocation does nothing (R40)", async () => {
    process.env.REMINDER_TOPIC_ARN = 'arn:aws:sns:us-east-1:123456789012:reminders.fifo';
    const request = await givenCall('fifo');
    expect(await runTool({ table, now: () => now }, reminder, request)).toBe('completed');
    expect(await runTool({ table, now: () => now }, reminder, request)).toBe('completed');
    expect(published).toHaveLength(1);
    expect(Object.fromEntries(published[0]!)).toMatchObject({
      Action: 'Publish',
      Message: 'Tea',
      MessageDeduplicationId: request.callId,
      MessageGroupId: 'fifo',
    });
    expect(await texts('fifo')).toEqual(['Remind me', '⏰ Tea']);
  });

  test('a topic that is down fails the attempt; the next one reminds, once (R22)', async () => {
    process.env.REMINDER_TOPIC_ARN = 'arn:aws:sns:us-east-1:123456789012:reminders';
    failures = 1;
    const request = await givenCall('standard');
    await expect(runTool({ table, now: () => now }, reminder, request)).rejects.toMatchObject({ name: 'ToolFailed' });
    expect(await texts('standard')).toEqual(['Remind me']);
    expect(await runTool({ table, now: () => now }, reminder, request)).toBe('completed');
    expect(published).toHaveLength(1);
    expect(published[0]!.has('MessageDeduplicationId')).toBe(false);
    expect(await texts('standard')).toEqual(['Remind me', '⏰ Tea']);
  });
});
