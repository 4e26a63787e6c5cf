import { createRoute } from '@hono/zod-openapi';
import { readReach, writeNoticeSettings } from '../../core/notices/reach';
import { NoticeSettings } from '../../core/notices/settings';
import { BadRequest } from '../problems';
import type { App, Deployment } from './deployment';
import { body, json, named, notAsItShouldBe, signedIn } from './shapes';

const Settings = named('NotificationSettings', NoticeSettings);

const read = createRoute({
  method: 'get',
  path: '/notifications',
  summary: 'What you are notified of, and when',
  security: signedIn,
  responses: { 200: json('The settings', Settings) },
});

const write = createRoute({
  method: 'put',
  path: '/notifications',
  summary: 'Sets what you are notified of, and when. E-mail goes to the address in your access token',
  security: signedIn,
  request: { body: body(Settings.strict()) },
  responses: { 200: json('The settings', Settings), 400: notAsItShouldBe },
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
