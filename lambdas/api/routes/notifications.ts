import { readReach, writeNoticeSettings } from '../../../core/notices/reach';
import { NoticeSettings } from '../../../core/notices/settings';
import { BadRequest } from '../../problems';
import type { App, Deployment } from '../deployment';
import * as example from '../examples';
import { route } from '../route';
import { body, json } from '../shapes';

const SetNotifications = NoticeSettings.strict().openapi('SetNotificationSettings', {
  examples: [example.notifications],
});

const read = route('getNotificationSettings', 'Notifications', {
  method: 'get',
  path: '/notifications',
  summary: 'What you are notified of, and when',
  responses: { 200: json('The settings', NoticeSettings) },
});

const write = route('setNotificationSettings', 'Notifications', {
  method: 'put',
  path: '/notifications',
  summary: 'Sets what you are notified of, and when. E-mail goes to the address in your access token',
  request: { body: body(SetNotifications) },
  responses: { 200: json('The settings', NoticeSettings) },
});

export function notificationRoutes(app: App, { table, sendsMail }: Deployment): void {
  app.openapi(read, async (context) => context.json((await readReach(table, context.get('user'))).settings, 200));

  app.openapi(write, async (context) => {
    const settings = context.req.valid('json');
    const { email: address, email_verified: isVerified = 'true' } = context.get('caller').claims;
    if (settings.mail && !sendsMail) throw refused('this deployment sends none: set VIGIL_MAIL_FROM');
    if (settings.mail && !(address && isVerified === 'true'))
      throw refused('your access token has no verified address: the user directory must add the claim `email`');
    await writeNoticeSettings(table, context.get('user'), settings, settings.mail ? address : undefined);
    return context.json(settings, 200);
  });
}

const refused = (message: string) => new BadRequest([{ path: 'mail', message }]);
