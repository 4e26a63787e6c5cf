import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { ApiModule } from '../../lambdas/api/module';
import { optionalVariable } from '../../runtime/environment';
import { NoticeSettings, QuietHours } from './notice-settings';
import { pushKeysOfDeployment } from './push-keys';
import { endReach } from './reach';
import { deviceRoutes } from './routes/devices';
import { exampleSettings, notificationRoutes } from './routes/notifications';

const pushKeys = pushKeysOfDeployment(new SecretsManagerClient({}));

/** The routes of a user's devices, and of what they are notified of. */
export const inApi: ApiModule = {
  name: 'notices',
  paths: ['/devices/*', '/notifications'],
  tags: { Notifications: 'What you hear of when you do not look' },
  schemas: {
    NotificationSettings: [NoticeSettings, 'What you are notified of, and when', exampleSettings],
    QuietHours: [QuietHours, 'A time of each day, by your clock. It may pass midnight'],
  },
  routes(app, { table }) {
    deviceRoutes(app, table, async () => (await pushKeys()).publicKey);
    notificationRoutes(app, table, optionalVariable('VIGIL_MAIL_FROM') !== undefined);
  },
  endGrants: endReach,
};
