/** What a page could read, or what it could open. */
export interface Find {
  /** For example `POST /_local/clock`. */
  request: string;
  address: string;
  status: number;
  text: string;
}

export interface Attack {
  addresses: string[];
  /** Names that a page cannot know. */
  table: string;
  conversation: string;
}

/**
 * Runs in a page: tries everything that a page can send to an address. Returns what it could read and open; whether it
 * changed something is for the caller to check. Uses nothing from outside, because only its text reaches the browser.
 */
export async function attack({ addresses, table, conversation }: Attack): Promise<Find[]> {
  const found: Find[] = [];
  const json = { 'content-type': 'application/json' };
  const aws = (service: string, target: string) => ({
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': target,
    authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=x`,
    'x-amz-date': '20260101T000000Z',
  });
  const post = (path: string, body: object, headers: Record<string, string> = {}) => ({
    path,
    init: { method: 'POST', body: JSON.stringify(body), headers },
  });
  const item = { pk: { S: `C#${conversation}` }, sk: { S: 'META' } };
  const fault = { function: 'CallModel', kind: 'crash', times: 1 };
  const orders = [
    post('/_local/clock', { advance: 'P3D' }),
    post('/_local/faults', fault),
    post('/_local/token', { user: 'ada' }),
    post('/_local/boundaries', {}),
    post('/v1/chat/completions', { model: 'stand-in', messages: [{ role: 'user', content: 'Hello' }] }),
    post('/v1/embeddings', { model: 'stand-in', input: 'Hello' }),
    post('/conversations', { agent: 'reminder', text: 'Hello' }),
    post(`/conversations/${conversation}/messages`, { text: 'Hello' }),
    post('/search', { q: 'kyoto' }),
    post('/content?token=x', { url: 'https://example.org/' }),
    post('/', {}),
  ];
  const requests = [
    ...['/', '/config.json', '/openapi.json', '/_local/health', '/_local/faults', '/v1/models'].map((path) => ({
      path,
    })),
    { path: `/conversations/${conversation}` },
    ...orders,
    // With a content type that a browser first asks about.
    ...orders.map(({ path, init }) => ({ path, init: { ...init, headers: json } })),
    { path: '/_local/faults', init: { method: 'DELETE' } },
    post('/', { TableName: table }, aws('dynamodb', 'DynamoDB_20120810.Scan')),
    post('/', { TableName: table, Key: item }, aws('dynamodb', 'DynamoDB_20120810.DeleteItem')),
    post('/', {}, aws('states', 'AWSStepFunctions.ListStateMachines')),
    post('/2015-03-31/functions/CallModel/invocations', {}, aws('lambda', '')),
  ] as { path: string; init?: RequestInit }[];

  await Promise.all(
    addresses.flatMap((address) => [
      ...requests.flatMap(({ path, init }) => [read(address, path, init), sendBlindly(address, path, init)]),
      ...orders.map(({ path, init }) => submitForm(address + path, init.body)),
      ...['/live', '/', '/live?ticket=x'].map((path) => connect(address, path)),
    ]),
  );
  return found;

  async function read(address: string, path: string, init?: RequestInit): Promise<void> {
    try {
      const answer = await fetch(address + path, { ...init, signal: AbortSignal.timeout(10_000) });
      found.push({
        request: `${init?.method ?? 'GET'} ${path}`,
        address,
        status: answer.status,
        text: await answer.text(),
      });
    } catch {
      // The browser or the server refused.
    }
  }

  /** Without permission to read the answer, as a form or an image is sent. The browser drops most headers. */
  async function sendBlindly(address: string, path: string, init?: RequestInit): Promise<void> {
    const blind = { ...init, mode: 'no-cors' as const, signal: AbortSignal.timeout(10_000) };
    await fetch(address + path, blind).catch(() => undefined);
  }

  /** `enctype=text/plain` sends `name=value`, which can be JSON. */
  async function submitForm(action: string, body: string): Promise<void> {
    const frame = document.createElement('iframe');
    frame.name = `frame-${Math.random()}`;
    const form = Object.assign(document.createElement('form'), { action, method: 'POST', enctype: 'text/plain' });
    form.target = frame.name;
    const [start, end] = [body.slice(0, -1), '}'];
    const name = `${start}${start === '{' ? '' : ','}"x":"`;
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value: `"${end}` }));
    document.body.append(frame, form);
    const loaded = new Promise((resolve) => {
      frame.onload = resolve;
      setTimeout(resolve, 10_000);
    });
    form.submit();
    await loaded;
    frame.remove();
    form.remove();
  }

  async function connect(address: string, path: string): Promise<void> {
    try {
      const socket = new WebSocket(address.replace('http', 'ws') + path);
      const isOpen = await new Promise((resolve) => {
        socket.onopen = () => resolve(true);
        socket.onerror = () => resolve(false);
        // Vite leaves handshakes that are not its own without an answer.
        setTimeout(() => resolve(false), 5_000);
      });
      if (isOpen) found.push({ request: `WebSocket ${path}`, address, status: 101, text: '' });
      socket.close();
    } catch {
      // A port that browsers block.
    }
  }
}
