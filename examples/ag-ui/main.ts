import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { VigilAgent } from 'vigil/ag-ui';

// A chat in the terminal by AG-UI, beside an `npm start`:
//   npx tsx examples/ag-ui/main.ts 'Transfer 900 dollars to Lin'
// With the printed thread it goes on with that conversation, without a text as well:
//   THREAD=… npx tsx examples/ag-ui/main.ts

const url = process.env.VIGIL_URL ?? 'http://127.0.0.1:3000';
const { AGENT: name = 'bank', THREAD: threadId = randomUUID(), VIGIL_USER: user = 'ada' } = process.env;
const [text] = process.argv.slice(2);

/** On a laptop, anyone may have a token. On AWS, take that of your sign-in. */
async function token(): Promise<string> {
  const body = JSON.stringify({ user });
  const answer = await fetch(`${url}/_local/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return ((await answer.json()) as { token: string }).token;
}

async function chat(): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const agent = new VigilAgent({ url, token, agent: name, threadId });
  agent.subscribe({
    onTextMessageContentEvent: ({ event }) => void process.stdout.write(event.delta),
    onTextMessageEndEvent: () => void process.stdout.write('\n'),
    onToolCallEndEvent: ({ toolCallName, toolCallArgs }) =>
      console.log(`[${toolCallName} ${JSON.stringify(toolCallArgs)}]`),
    onToolCallResultEvent: ({ event }) => console.log(`[${String(event.content)}]`),
    onRunErrorEvent: ({ event }) => console.error(event.message),
  });

  console.log(`Thread ${threadId}`);
  if (text) {
    agent.addMessage({ id: randomUUID(), role: 'user', content: text });
    await agent.runAgent();
  } else await agent.connectAgent();

  while (agent.pendingInterrupts.length > 0) {
    const resume = [];
    for (const { id, reason, message } of agent.pendingInterrupts) {
      const said = await terminal.question(`${message} ${reason === 'approval' ? '(yes or no) ' : ''}`);
      const payload = reason === 'approval' ? { approved: said === 'yes' } : { answer: said };
      resume.push({ interruptId: id, status: 'resolved' as const, payload });
    }
    await agent.runAgent({ resume });
  }
  console.log(`The run is ${agent.state.status}${agent.state.until ? ` until ${agent.state.until}` : ''}.`);
  terminal.close();
}

chat().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
