import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { performance } from 'node:perf_hooks';

/** What this process has asked an address for, as the API's users see it. */
export interface Requests {
  /** How often each status was answered. 0: no answer. */
  statuses: Map<number, number>;
  /** How long each answer took until its headers, in milliseconds. */
  took: number[];
}

interface Asked {
  request: { origin: string; path: string };
  response?: { statusCode: number };
}

const created = 'undici:request:create';
const answered = 'undici:request:headers';
const failed = 'undici:request:error';

/** Watches the requests of `fetch` to this address, except those of `/_local`. */
export function watchRequests(url: string): { requests: Requests; stop(): void } {
  const requests: Requests = { statuses: new Map(), took: [] };
  const begun = new WeakMap<object, number>();
  const end = (request: object, status: number) => {
    const began = begun.get(request);
    if (began === undefined) return;
    begun.delete(request);
    requests.took.push(performance.now() - began);
    requests.statuses.set(status, (requests.statuses.get(status) ?? 0) + 1);
  };
  const onCreated = (message: unknown) => {
    const { request } = message as Asked;
    if (request.origin === url && !request.path.startsWith('/_local/')) begun.set(request, performance.now());
  };
  const onAnswered = (message: unknown) => {
    const { request, response } = message as Asked;
    end(request, response!.statusCode);
  };
  const onFailed = (message: unknown) => end((message as Asked).request, 0);
  subscribe(created, onCreated);
  subscribe(answered, onAnswered);
  subscribe(failed, onFailed);
  return {
    requests,
    stop() {
      unsubscribe(created, onCreated);
      unsubscribe(answered, onAnswered);
      unsubscribe(failed, onFailed);
    },
  };
}
