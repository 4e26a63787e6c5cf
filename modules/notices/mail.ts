import { type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { log } from '../../runtime/log';
import type { Delivery } from './deliver-notice';
import { noticeWords } from './notice-words';
import type { Notification } from './notification';

/** Errors of SES that a later attempt cannot fix. */
const forGood = new Set(['MessageRejected', 'BadRequestException', 'NotFoundException']);

/** Sends a notification by e-mail, as text. @param page the page's address, for the link. */
export async function mailTo(
  ses: SESv2Client,
  address: string,
  { title, body, path, language }: Notification,
  { from, page }: { from: string; page?: string },
): Promise<Delivery> {
  const link = page ? `\n\n${page.replace(/\/$/, '')}${path}` : '';
  const text = `${body}${link}\n\n${noticeWords(language).whyMail}`;
  const Simple = { Subject: { Data: title }, Body: { Text: { Data: text } } };
  try {
    await ses.send(
      new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: [address] },
        Content: { Simple },
      }),
    );
    return 'taken';
  } catch (error) {
    const { name, $response } = error as Error & { $response?: { statusCode?: number } };
    // SES has taken it, and only its answer cannot be read: it must not be sent twice.
    if ($response?.statusCode === 200) return 'taken';
    log.warn('an e-mail was not sent', { error: name });
    return forGood.has(name) ? 'refused' : 'failed';
  }
}
