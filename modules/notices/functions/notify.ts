import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { optionalVariable, tableOfDeployment } from '../../../runtime/environment';
import { log } from '../../../runtime/log';
import { serveState } from '../../../runtime/serve-state';
import { type Deliverer, deliverNotice } from '../deliver-notice';
import { mailTo } from '../mail';
import { Notice } from '../notice';
import { pushTo } from '../push';
import { pushKeysOfDeployment } from '../push-keys';

const table = tableOfDeployment();
const live = tableOfDeployment('LIVE_TABLE_NAME');
const keys = pushKeysOfDeployment(new SecretsManagerClient({}));
const from = optionalVariable('VIGIL_MAIL_FROM');
const page = optionalVariable('VIGIL_PAGE_URL');
/** Whom push services may ask about this deployment. */
const contact = from ? `mailto:${from}` : (page ?? 'https://vigil.example.com');
const ses = from ? new SESv2Client({ maxAttempts: 1 }) : undefined;

const deliverer: Deliverer = {
  table,
  live,
  push: async (device, notification) => pushTo(device, notification, { keys: await keys(), contact }),
  ...(ses && from && { mail: (address, notification) => mailTo(ses, address, notification, { from, page }) }),
};

/** Notify: delivers a notice to its user's devices, or returns when the user's quiet hours end. */
export const handler = serveState(
  Notice,
  async (notice) => {
    const output = await deliverNotice(deliverer, notice, new Date());
    log.info('notice', { ...fieldsOf(notice), next: output.next });
    return output;
  },
  fieldsOf,
);

function fieldsOf({ id, kind }: Notice) {
  return { id, kind };
}
