import { readReach, writeNoticeSettings } from '../../../core/people/notices/reach';
import { NoticeSettings } from '../../../core/people/notices/settings';
import { BadRequest } from '../../problems';
import { signedInNow, verifiedAddressIn } from '../caller';
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
  summary:
    'Sets what you are notified of, and when. E-mail goes to the verified address in your access token. `words` ends with ' +
    'the token, unless a later token of the sign-in sets it again',
  request: { body: body(SetNotifications) },
  responses: { 200: json('The settings', NoticeSettings) },
});

export function notificationRoutes(app: App, { table, sendsMail }: Deployment): void {
  app.openapi(read, async (context) =>
    context.json((await readReach(table, context.get('user'), new Date())).settings, 200),
  );

  app.openapi(write, async (context) => {
    const settings = context.req.valid('json');
    const caller = context.get('caller');
    const address = verifiedAddressIn(caller.claims);
    if (settings.mail && !sendsMail) throw refused('this deployment sends none: set VIGIL_MAIL_FROM');
    if (settings.mail && !address)
      throw refused(
        'your access token has no verified address: the user directory must add the claims `email` and `email_verified`',
      );
    const wanted = { settings, address: settings.mail ? address : undefined };
    await writeNoticeSettings(table, context.get('user'), wanted, signedInNow(caller));
    return context.json(settings, 200);
  });
}

const refused = (message: string) => new BadRequest([{ path: 'mail', message }]);
