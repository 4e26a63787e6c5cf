import { useChat } from '@ai-sdk/react';
import type { FileUIPart } from 'ai';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { filesOfMessage, sendsDecisions, type VigilTransport, type VigilUIMessage } from 'vigil/ai-sdk';

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

  const isReady = useRef(false);
  isReady.current = status === 'ready';
  // Others' decisions, timers, and messages from another tab.
  useEffect(
    () => chat.transport.onNews(chat.id, () => isReady.current && void resumeStream()),
    [chat.id, chat.transport, resumeStream],
  );

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

  const addressOf = async (file: FileUIPart) => (await chat.transport.fileAddress(chat.id, file, 'inline')).url;

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
          {filesOfMessage(message).map((file) => (
            <Attached key={file.url} file={file} addressOf={addressOf} />
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
      <Ask
        label="Message"
        takesFiles
        disabled={status === 'submitted'}
        onSend={(text, files) => sendMessage({ text, files })}
      />
    </main>
  );
}

/** The address of a file expires after some minutes. An app that stays open longer asks again when it fails. */
function Attached({ file, addressOf }: { file: FileUIPart; addressOf: (file: FileUIPart) => Promise<string> }) {
  const isStored = file.url.startsWith('vigil:');
  const [address, setAddress] = useState(isStored ? undefined : file.url);
  useEffect(() => {
    if (isStored) void addressOf(file).then(setAddress);
    // The same file has the same reference.
  }, [file.url]);
  const name = file.filename ?? file.mediaType;
  if (!address) return <p>{name}</p>;
  return file.mediaType.startsWith('image/') ? <img src={address} alt={name} /> : <a href={address}>{name}</a>;
}

const partOf = (file: File) =>
  new Promise<FileUIPart>((resolve, reject) => {
    const reader = new FileReader();
    const { type: mediaType, name: filename } = file;
    reader.onload = () => resolve({ type: 'file', mediaType, filename, url: String(reader.result) });
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

interface AskProps {
  label: string;
  takesFiles?: boolean;
  disabled?: boolean;
  onSend: (text: string, files: FileUIPart[]) => void;
}

function Ask({ label, takesFiles, disabled, onSend }: AskProps) {
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const files = data.getAll('files').filter((file) => file instanceof File && file.size > 0) as File[];
    onSend(String(data.get('text')), await Promise.all(files.map(partOf)));
    form.reset();
  }
  return (
    <form onSubmit={send}>
      <label>
        {label} <input name="text" required />
      </label>
      {takesFiles && <input name="files" type="file" multiple aria-label="Files" />}
      <button type="submit" disabled={disabled}>
        Send
      </button>
    </form>
  );
}
