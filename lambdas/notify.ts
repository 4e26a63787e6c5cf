import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { deliverNotice } from '../core/notices/deliver-notice';
import { Notice, type NoticeOutput } from '../core/notices/notice';
import { optionalVariable, tableOfDeployment } from '../runtime/environment';
import { log, logged } from '../runtime/log';
import { plainError } from '../runtime/plain-error';
import { pushKeysOfDeployment } from '../runtime/push-keys';
import { mailTo } from './notify/mail';
import { pushTo } from './notify/push';

const table = tableOfDeployment();
const live = tableOfDeployment('LIVE_TABLE_NAME');
const keys = pushKeysOfDeployment(new SecretsManagerClient({}));
const from = optionalVariable('VIGIL_MAIL_FROM');
const contact = optionalVariable('VIGIL_PUSH_CONTACT') ?? (from ? `mailto:${from}` : 'https://vigil.example.com');
const page = optionalVariable('VIGIL_PAGE_URL');
const ses = from ? new SESv2Client({ maxAttempts: 1 }) : undefined;

/** Notify: delivers a notice to its user's devices, or returns when the user's quiet hours end. */
export const handler = logged(async (event: unknown): Promise<NoticeOutput> => {
  const notice = Notice.parse(event);
  const { id, kind } = notice;
  try {
    const output = await deliverNotice(
      {
        ...{ table, live },
        push: async (device, notification) => pushTo(device, notification, { keys: await keys(), contact }),
        ...(ses && from && { mail: (address, notification) => mailTo(ses, address, notification, { from, page }) }),
      },
      notice,
      new Date(),
    );
    log.info('notice', { id, kind, next: output.next });
    return output;
  } catch (error) {
    throw plainError(error, { id, kind });
  }
});
