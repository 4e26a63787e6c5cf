import { useChat } from '@ai-sdk/react';
import { type FormEvent, useEffect } from 'react';
import { sendsDecisions, type VigilTransport, type VigilUIMessage } from 'vigil/ai-sdk';

type Part = VigilUIMessage['parts'][number];
type Tool = Extract<Part, { type: 'dynamic-tool' }>;

export function Chat(chat: { id: string; messages: VigilUIMessage[]; transport: VigilTransport }) {
  const { messages, status, error, sendMessage, resumeStream, regenerate, addToolApprovalResponse, addToolOutput } =
    useChat<VigilUIMessage>({ ...chat, resume: true, sendAutomaticallyWhen: sendsDecisions });

  const run = messages.at(-1)?.parts.find((part) => part.type === 'data-run')?.data;
  const wakesAt = run?.status === 'sleeping' ? run.until : undefined;
  useEffect(() => {
    if (!wakesAt) return;
    // A browser's timer takes 24 days at most.
    const timer = setTimeout(resumeStream, Math.min(Date.parse(wakesAt) - Date.now() + 1_000, 2_000_000_000));
    return () => clearTimeout(timer);
  }, [wakesAt, resumeStream]);

  function toolOf(tool: Tool) {
    const { toolCallId, state, approval } = tool;
    if (state === 'approval-requested' && approval) {
      const decide = (approved: boolean) => () => addToolApprovalResponse({ id: approval.id, approved });
      return (
        <p>
          {approval.requestReason} <code>{JSON.stringify(tool.input)}</code>
          <button type="button" onClick={decide(true)}>
            Approve
          </button>
          <button type="button" onClick={decide(false)}>
            Deny
          </button>
        </p>
      );
    }
    if (state === 'input-available' && tool.toolMetadata?.questionId) {
      const answer = (output: string) =>
        addToolOutput({ tool: tool.toolName as never, toolCallId, output: output as never });
      return <Ask label={(tool.input as { question: string }).question} onSend={answer} />;
    }
    return (
      <p>
        <code>{tool.toolName}</code>: {state}
      </p>
    );
  }

  function show(part: Part) {
    if (part.type === 'text') return <p>{part.text}</p>;
    if (part.type === 'data-message') return <p>{`${part.data.author}: ${part.data.text}`}</p>;
    if (part.type === 'dynamic-tool') return toolOf(part);
    return null;
  }

  return (
    <main>
      {messages.map((message) => (
        <article key={message.id} aria-label={message.role}>
          {message.parts.map((part, at) => (
            <div key={at}>{show(part)}</div>
          ))}
        </article>
      ))}
      {run && <p role="status">{[run.status, run.until, run.reason, run.question].filter(Boolean).join(' ')}</p>}
      {error && (
        <p role="alert">
          {error.message}{' '}
          <button type="button" onClick={() => regenerate()}>
            Try again
          </button>
        </p>
      )}
      <Ask label="Message" disabled={status === 'submitted'} onSend={(text) => sendMessage({ text })} />
    </main>
  );
}

function Ask({ label, disabled, onSend }: { label: string; disabled?: boolean; onSend: (text: string) => void }) {
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    onSend(String(new FormData(form).get('text')));
    form.reset();
  }
  return (
    <form onSubmit={send}>
      <label>
        {label} <input name="text" required />
      </label>
      <button type="submit" disabled={disabled}>
        Send
      </button>
    </form>
  );
}
