import { createRoute } from '@hono/zod-openapi';
import { readSettings, writeSettings } from '../../core/runs/user-settings';
import { Locale } from '../../core/time/time-zone';
import type { App, Deployment } from './deployment';
import { body, json, named, notAsItShouldBe, signedIn } from './shapes';

const Settings = named('Settings', Locale);

const read = createRoute({
  method: 'get',
  path: '/settings',
  summary: 'Your time zone and language, as in your last message',
  security: signedIn,
  responses: { 200: json('The settings', Settings) },
});

const write = createRoute({
  method: 'put',
  path: '/settings',
  summary: 'Sets your time zone and language for new conversations. A message that names others replaces them',
  security: signedIn,
  request: { body: body(Settings.strict()) },
  responses: { 200: json('The settings', Settings), 400: notAsItShouldBe },
});

export function settingsRoutes(app: App, { table }: Deployment): void {
  app.openapi(read, async (context) => context.json(await readSettings(table, context.get('user')), 200));

  app.openapi(write, async (context) => {
    const settings = context.req.valid('json');
    await writeSettings(table, context.get('user'), settings);
    return context.json(settings, 200);
  });
}
