import { SESv2Client } from '@aws-sdk/client-sesv2';
import { listen, readJson } from '../../local/model-server/listen';
import { loggedLines } from '../../test/support/logged';
import { mailTo } from './mail';
import type { Notification } from './notification';

// Amazon SES, over its protocol.

let ses: SESv2Client;
let asked: object[];
let answers: { status: number; name?: string; body?: string }[];
let stop: () => Promise<void>;
loggedLines();

beforeAll(async () => {
  const server = await listen(async (request, response) => {
    asked.push({ path: request.url, ...((await readJson(request)) as object) });
    const { status, name, body } = answers.shift() ?? { status: 200 };
    response.writeHead(status, { 'content-type': 'application/json', ...(name && { 'x-amzn-errortype': name }) });
    response.end(body ?? JSON.stringify(status === 200 ? { MessageId: '1' } : { message: 'no' }));
  });
  stop = server.stop;
  const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
  ses = new SESv2Client({ endpoint: server.url, region: 'us-east-1', credentials, maxAttempts: 1 });
});
afterAll(async () => {
  ses.destroy();
  await stop();
});
beforeEach(() => {
  [asked, answers] = [[], []];
});

const notification: Notification = {
  id: 'n',
  kind: 'question',
  conversationId: 'c',
  title: 'Question',
  body: 'The agent waits.',
  path: '/#/c/c',
};
const from = 'vigil@example.com';

test('an e-mail has the notification’s words and leads to its place (R154)', async () => {
  expect(await mailTo(ses, 'ada@example.com', notification, { from, page: 'https://vigil.example/' })).toBe('taken');
  expect(asked).toEqual([
    {
      path: '/v2/email/outbound-emails',
      FromEmailAddress: from,
      Destination: { ToAddresses: ['ada@example.com'] },
      Content: {
        Simple: {
          Subject: { Data: 'Question' },
          Body: {
            Text: {
              Data: 'The agent waits.\n\nhttps://vigil.example/#/c/c\n\nYou get this because your settings ask for e-mail.',
            },
          },
        },
      },
    },
  ]);
});

test.each([
  [400, 'MessageRejected', 'refused'],
  [429, 'TooManyRequestsException', 'failed'],
  [500, 'InternalServiceErrorException', 'failed'],
] as const)('SES answers %i %s: %s (R154)', async (status, name, delivery) => {
  answers = [{ status, name }];
  expect(await mailTo(ses, 'ada@example.com', notification, { from })).toBe(delivery);
  expect(asked).toHaveLength(1);
});
