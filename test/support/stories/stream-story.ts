import type { Seen } from 'vigil-client/shared';
import type { Call, Callback, Message, RunStatus } from '../../../core/base/state/schemas';
import { noUsage } from '../../../core/base/state/schemas';

/** A conversation's rows, and what may happen to them next: for tests of streams, which resume at any point of it. */
export interface StreamStory {
  /** The rows as they are. Later events do not change them. */
  rows(): Seen & { more: false };
  /** What may happen now, by name. Each makes it happen. */
  next(): Record<string, () => void>;
}

const at = '2026-03-01T09:00:00.000Z';

export function streamStory(): StreamStory {
  const messages: Message[] = [];
  const calls: Call[] = [];
  const callbacks: Callback[] = [];
  let [run, step] = [0, 0];
  let status: RunStatus | 'idle' = 'idle';
  let said = 0;

  const add = (message: Partial<Message> & Pick<Message, 'role' | 'author' | 'text' | 'status'>) =>
    messages.push({ seq: messages.length + 1, version: 1, createdAt: at, runId: `r_${run}`, ...message });
  const change = <Row extends { version: number }>(rows: Row[], row: Row, set: Partial<Row>) =>
    rows.splice(rows.indexOf(row), 1, { ...row, ...set, version: row.version + 1 });
  const draft = () => messages.find((one) => one.status === 'streaming' || one.status === 'error');
  const words = () => `Sentence ${++said}. `;
  const file = (filename?: string) => ({
    type: 'file' as const,
    id: `f_${String(++said).padStart(43, '0')}`,
    mediaType: 'image/png',
    size: 7,
    ...(filename && { filename }),
  });
  const parts = () => [file('dot.png'), { type: 'text' as const, text: words() }, { type: 'data' as const, data: [1] }];

  function make(kinds: ('plain' | 'approval' | 'question')[]): void {
    kinds.forEach((kind, index) => {
      const id = `r_${run}.0000${step}.0${index}`;
      const call = { id, version: 1, runId: `r_${run}`, step, index, tool: kind, arguments: { note: `"${kind}"\n` } };
      const asks = kind !== 'plain';
      calls.push({
        ...call,
        status: asks ? 'waiting' : 'queued',
        attempts: 0,
        createdAt: at,
        ...(asks && { callbackId: id }),
      });
      if (asks)
        callbacks.push({
          id,
          version: 1,
          callId: id,
          runId: `r_${run}`,
          kind,
          prompt: 'Well?',
          status: 'pending',
          expiresAt: at,
        });
    });
    status = kinds.includes('plain') ? 'running' : 'waiting';
  }

  function replies(): Record<string, () => void> {
    const own = draft();
    const restart = () => change(messages, own!, { status: 'streaming', text: '', attempt: own!.attempt! + 1 });
    if (own?.status === 'error') return { restart };
    if (!own)
      return {
        begin() {
          step++;
          add({ role: 'assistant', author: 'agent', text: '', status: 'streaming', step, attempt: 1 });
        },
      };
    const complete =
      (kinds: Parameters<typeof make>[0], text = own.text) =>
      () => {
        change(messages, own, { status: 'complete', text });
        if (kinds.length > 0) make(kinds);
        else if (text) status = 'done';
      };
    // Pieces are rows of their own, so the message keeps its version.
    const grow = () => messages.splice(messages.indexOf(own), 1, { ...own, text: own.text + words() });
    return {
      grow,
      growMore: grow,
      fail: () => change(messages, own, { status: 'error' }),
      restart,
      ...(own.text && { complete: complete([]) }),
      replace: complete(['plain'], words()),
      call: complete(['plain', 'approval', 'question']),
      cite() {
        const page = { title: 'Sights', url: `https://kyoto.example/${said}` };
        const found = {
          tool: 'web_search' as const,
          input: 'Kyoto',
          status: 'completed' as const,
          sources: [page, page],
        };
        change(messages, own, { status: 'complete', hosted: [found], ...(said % 2 && { citations: [page] }) });
        make(['plain']);
      },
      ask: complete(['approval', 'approval']),
    };
  }

  function outcomes(): Record<string, () => void> {
    const open = calls.filter((one) => ['queued', 'waiting'].includes(one.status));
    const acts = open.map((call): [string, () => void] => {
      const callback = callbacks.find((one) => one.callId === call.id && one.status === 'pending');
      const set = (row: Partial<Call>) => () => {
        change(calls, call, row);
        status = 'running';
      };
      const close = (outcome: unknown, row: Partial<Call>) => () => {
        change(callbacks, callback!, { status: 'answered', outcome });
        set(row)();
      };
      if (callback?.kind === 'question')
        return [`answer ${call.index}`, close({ answer: 'Yes' }, { status: 'completed', result: 'Yes' })];
      if (!callback)
        return [
          `settle ${call.index}`,
          set(
            call.index % 2 ? { status: 'failed', error: 'No.' } : { status: 'completed', result: { ok: [1, file()] } },
          ),
        ];
      return call.index % 2
        ? [`deny ${call.index}`, close({ approved: false, reason: 'No' }, { status: 'failed', error: 'Denied' })]
        : [`approve ${call.index}`, close({ approved: true, by: 'ada' }, { status: 'queued' })];
    });
    return Object.fromEntries(acts);
  }

  return {
    rows: () => ({
      head: {
        id: 'c',
        version: 1,
        title: '',
        agent: 'agent',
        status,
        createdAt: at,
        updatedAt: at,
        usage: noUsage,
        ...(run > 0 && {
          run: { id: `r_${run}`, status: status as RunStatus, agent: 'agent', segment: 1, step, usage: noUsage },
        }),
      },
      messages: [...messages],
      calls: [...calls],
      callbacks: [...callbacks],
      more: false,
    }),
    next() {
      if (status === 'idle' || status === 'done')
        return {
          say() {
            run++;
            step = 0;
            status = 'running';
            add({ role: 'user', author: 'ada', text: words(), status: 'complete' });
          },
        };
      const open = outcomes();
      if (Object.keys(open).length > 0) return open;
      return {
        ...replies(),
        ...(!draft() && { note: () => add({ role: 'system', author: 'reminder', text: words(), status: 'complete' }) }),
        ...(!draft() && {
          send: () => add({ role: 'user', author: 'ada', text: words(), status: 'complete', parts: parts() }),
          post: () => add({ role: 'assistant', author: 'remind', text: words(), status: 'complete', callId: 'x' }),
        }),
      };
    },
  };
}
