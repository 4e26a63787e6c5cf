import { Locale } from '../../../core/base/time/time-zone';
import { readSettings, writeSettings } from '../../../core/conversations/runs/user-settings';
import type { App, Deployment } from '../deployment';
import * as example from '../examples';
import { route } from '../route';
import { body, json } from '../shapes';

const SetSettings = Locale.strict().openapi('SetSettings', { examples: [example.settings] });

const read = route('getSettings', 'User', {
  method: 'get',
  path: '/settings',
  summary: 'Your time zone and language, as in your last message',
  responses: { 200: json('The settings', Locale) },
});

const write = route('setSettings', 'User', {
  method: 'put',
  path: '/settings',
  summary: 'Sets your time zone and language for new conversations. A message that names others replaces them',
  request: { body: body(SetSettings) },
  responses: { 200: json('The settings', Locale) },
});

export function settingsRoutes(app: App, { table }: Deployment): void {
  app.openapi(read, async (context) => context.json(await readSettings(table, context.get('user')), 200));

  app.openapi(write, async (context) => {
    const settings = context.req.valid('json');
    await writeSettings(table, context.get('user'), settings);
    return context.json(settings, 200);
  });
}
