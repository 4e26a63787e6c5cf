import { createRoot } from 'react-dom/client';
import { vigilTransport } from 'vigil/ai-sdk';
import { Chat } from './chat';

/** On a laptop, anyone may have a token. On AWS, take that of your sign-in. */
async function token(): Promise<string> {
  const body = JSON.stringify({ user: 'ada' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch('/_local/token', { method: 'POST', headers, body });
  return ((await answer.json()) as { token: string }).token;
}

const agent = new URLSearchParams(location.search).get('agent') ?? 'bank';
const transport = vigilTransport({ url: '', token, agent });

// The chat's id is in the address, so a reload comes back to it.
const id = location.hash.slice(1) || crypto.randomUUID();
history.replaceState(null, '', `#${id}`);

const messages = await transport.history(id);
createRoot(document.getElementById('page')!).render(<Chat id={id} messages={messages} transport={transport} />);
