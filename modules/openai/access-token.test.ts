import { listen } from '../../local/model-server/listen';
import { wrongReadings } from '../../test/support/odd-answers';
import { accessToken } from './access-token';

describe('a provider that takes tokens (R134)', () => {
  let server: Awaited<ReturnType<typeof listen>>;
  let asked: URLSearchParams[] = [];
  let answers: [status: number, body: unknown][] = [];
  const secrets = ['first'];
  const clientSecret = {
    get: async () => secrets[0]!,
    replaced: async (refused: string) => secrets[0] !== refused,
  };

  beforeAll(async () => {
    server = await listen(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      asked.push(new URLSearchParams(Buffer.concat(pieces).toString()));
      const [status, body] = answers.shift()!;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    asked = [];
    secrets[0] = 'first';
  });

  const given = (...next: typeof answers) => {
    answers = next;
    const tokenUrl = `${server.url}/token`;
    return accessToken(clientSecret, { tokenUrl, clientId: 'vigil', scope: 'models/.default' }, 'azure');
  };

  test('gets one by the client’s secret, and keeps it until it is about to end', async () => {
    const key = given([200, { access_token: 't1', expires_in: 3_600 }], [200, { access_token: 't2', expires_in: 60 }]);
    expect([await key.get(), await key.get()]).toEqual(['t1', 't1']);
    expect(Object.fromEntries(asked[0]!)).toEqual({
      grant_type: 'client_credentials',
      client_id: 'vigil',
      client_secret: 'first',
      scope: 'models/.default',
    });
    expect(asked).toHaveLength(1);
    expect(await key.replaced('t1')).toBe(true);
    answers = [[200, { access_token: 't3' }]];
    expect(await key.get()).toBe('t3');
  });

  test('one that is refused is asked for again, and the same one is not tried twice', async () => {
    const key = given([200, { access_token: 't1' }], [200, { access_token: 't1' }]);
    expect(await key.get()).toBe('t1');
    expect(await key.replaced('t1')).toBe(false);
  });

  test.each([
    [401, { error: 'invalid_client', error_description: 'first is wrong' }, 'ConfigurationError', /refused the client/],
    [503, {}, 'ModelUnavailable', /returned no token \(503\)/],
    [200, { token_type: 'Bearer' }, 'ModelUnavailable', /returned no token \(200\)/],
  ])('an answer of %i is an error that quotes no secret', async (status, body, name, message) => {
    const error = await given([status, body])
      .get()
      .catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name, message: expect.stringMatching(message) });
    expect(String(error)).not.toContain('first');
  });

  const good = { token_type: 'Bearer', access_token: 't1', expires_in: 3_600, scope: 'models/.default' };
  const read = (status: number) => (json?: string) => given([status, json && JSON.parse(json)], [500, {}]).get();

  test('whatever changes in an answer, there is a token for a header, or none (R189)', async () => {
    const isFit = (token: string) =>
      new Headers({ authorization: `Bearer ${token}` }).get('authorization') === `Bearer ${token}`;
    expect(await wrongReadings(good, { read: read(200), errors: ['ModelUnavailable'], isFit })).toEqual([]);
  });

  test('a secret that was replaced is tried', async () => {
    const key = given([401, {}], [200, { access_token: 't1' }]);
    const { get } = clientSecret;
    clientSecret.get = async () => {
      const read = await get();
      secrets[0] = 'second';
      return read;
    };
    expect(await key.get()).toBe('t1');
    clientSecret.get = get;
    expect(asked.map((one) => one.get('client_secret'))).toEqual(['first', 'second']);
  });
});
