import type { SettingOfModule } from '../../infra/settings-table';

export const settings: SettingOfModule[] = [
  {
    variable: 'VIGIL_MAIL_FROM',
    option: 'notices.mailFrom',
    sets: 'the address that [notifications](notifications.md#e-mail) are sent from by e-mail',
    byDefault: 'no e-mail',
  },
  {
    variable: 'VIGIL_PUSH_ORIGINS',
    option: 'notices.pushOrigins',
    sets: 'origins of your own push services, separated by commas',
    byDefault: 'none',
  },
];
