import type { Table } from '../../../core/conversations/store/table';
import { signedInNow, verifiedAddressIn } from '../../../lambdas/api/caller';
import type { App } from '../../../lambdas/api/deployment';
import { route } from '../../../lambdas/api/route';
import { body, json } from '../../../lambdas/api/shapes';
import { BadRequest } from '../../../lambdas/problems';
import { NoticeSettings } from '../notice-settings';
import { readReach, writeNoticeSettings } from '../reach';

export const exampleSettings: NoticeSettings = {
  reminders: true,
  approvals: true,
  questions: true,
  failures: true,
  answers: false,
  words: false,
  mail: false,
  allowed: true,
  mentions: true,
  quietHours: { from: '22:00', to: '07:00' },
};

const SetNotifications = NoticeSettings.strict().openapi('SetNotificationSettings', {
  examples: [exampleSettings],
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

/** @param sendsMail whether the deployment sends e-mail. */
export function notificationRoutes(app: App, table: Table, sendsMail: boolean): void {
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
