import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import * as z from 'zod';
import { tableEffect } from '../core/conversations/agent/table-effect';
import { defineTool } from '../core/conversations/agent/tool';
import { serveTool } from '../runtime/serve-tool';

const sns = new SNSClient({});

export const reminder = defineTool({
  name: 'reminder',
  title: 'Send a notification',
  description:
    'Delivers a reminder to the user now, in this conversation and wherever else they get notices. It does not wait: call `schedule` first if it is for later.',
  input: z.object({
    message: z
      .string()
      .min(1)
      .max(2_000)
      .describe('What to remind the user of, in your own words, with any link they gave'),
  }),
  output: z.object({ delivered: z.boolean() }),
  effect: 'idempotent',
  // It reaches the user only.
  afterUntrusted: () => 'allow',
  source: 'none',
  needs: { topics: ['REMINDER_TOPIC_ARN'] },
  async execute({ message }, { callId, conversationId }) {
    const topic = process.env.REMINDER_TOPIC_ARN;
    // Published before the commit. A crash in between repeats the notice, which a FIFO topic drops by the call's id.
    if (topic) await sns.send(new PublishCommand(notice(topic, message, callId, conversationId)));
    return tableEffect({ output: { delivered: true }, messages: [{ role: 'assistant', text: `⏰ ${message}` }] });
  },
});

function notice(topic: string, message: string, callId: string, conversationId: string) {
  const fifo = topic.endsWith('.fifo') && { MessageGroupId: conversationId, MessageDeduplicationId: callId };
  return {
    TopicArn: topic,
    Message: message,
    MessageAttributes: { callId: { DataType: 'String', StringValue: callId } },
    ...fifo,
  };
}

export const handler = serveTool(reminder);
