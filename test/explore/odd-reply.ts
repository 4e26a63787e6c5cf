import { free } from '../../core/base/models/price-list';
import type { ModelRequest, Reply } from '../../core/conversations/agent/model';
import { replied } from '../../lambdas/models/replied';
import { ChatReply } from '../../modules/openai/chat-reply';
import { changed, hows, oddities } from '../support/mutated';
import type { Random } from './random';

/** Sends a reply as a server of chat completions does that differs from the API, and reads it as CallModel does. */
export function oddly(random: Random, { text, toolCalls }: Reply, { agent, items, onText }: ModelRequest) {
  const calls = toolCalls.map(({ id, name, arguments: args }, index) => ({
    index,
    id,
    function: { name, arguments: args },
  }));
  const usage = { prompt_tokens: 10, completion_tokens: 5 };
  let chunks: unknown = [
    { choices: [{ index: 0, delta: { content: text } }] },
    { choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: 'stop' }] },
    { choices: [], usage },
  ];
  for (let times = 1 + random.below(2); times > 0; times--)
    chunks = changed(chunks, {
      place: random.next(),
      how: random.pick(hows),
      by: structuredClone(random.pick(oddities)),
    });
  return replied({ agent, items, onText }, free, async () => {
    const reply = new ChatReply(onText);
    for (const chunk of [chunks].flat()) reply.add(chunk);
    return reply.finish(true);
  });
}
