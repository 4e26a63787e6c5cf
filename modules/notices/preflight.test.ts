import { listen } from '../../local/model-server/listen';
import { notices } from './construct';

// The SDK's client asks a server that answers as SES does.

const ready = {
  '/v2/email/account': { ProductionAccessEnabled: true, SendingEnabled: true },
  '/v2/email/identities/example.com': { VerifiedForSendingStatus: true },
};

test.each<[what: string, answers: Record<string, object | undefined>, says: string[]]>([
  ['a verified domain', {}, ['ok SES: vigil@example.com is verified']],
  [
    'the sandbox',
    { '/v2/email/account': {} },
    ['limits SES: the account is in the sandbox', 'ok SES: vigil@example.com is verified'],
  ],
  [
    'a sender that nobody verified',
    { '/v2/email/identities/example.com': undefined },
    ['limits SES: neither vigil@example.com nor its domain is verified'],
  ],
  [
    'an account that may not send',
    { '/v2/email/account': { ProductionAccessEnabled: true, SendingEnabled: false } },
    ['fails SES: sending is paused', 'ok SES: vigil@example.com is verified'],
  ],
])('%s is found before a deployment (R186)', async (_, answers, says) => {
  const account: Record<string, object | undefined> = { ...ready, ...answers };
  const server = await listen(async ({ url = '' }, response) => {
    const answer = account[decodeURIComponent(url)];
    response.setHeader('content-type', 'application/json');
    if (answer) response.end(JSON.stringify(answer));
    else response.writeHead(404, { 'x-amzn-errortype': 'NotFoundException' }).end('{}');
  });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const config = { endpoint: server.url, region: 'eu-central-1', credentials, maxAttempts: 1 };
  const check = notices({ mailFrom: 'vigil@example.com' }).preflight!(config);
  const found = (await check.ask()).map(({ verdict, words }) => `${verdict} ${words}`);
  expect([check.service, found]).toEqual(['SES', says.map((words) => expect.stringContaining(words))]);
  expect(notices().preflight).toBeUndefined();
  await server.stop();
});
