import type { App } from './deployment';
import { onBehalfOf } from './machines';
import type { ApiModule } from './module';
import { nameSchemas } from './named-schemas';
import { refusals, tags } from './route';
import { Problem } from './shapes';

const description = `Agents that wait. Ids are opaque, times are ISO 8601 in UTC, and money is an integer in the unit that the field’s name says.
Ignore fields that you do not know: later versions add some. Enumerations may get more values.`;

const license = { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' };

/** Serves the OpenAPI document. docs/openapi.json is the same, and a test compares them. */
export function documentRoute(app: App, modules: readonly ApiModule[]): void {
  nameSchemas(modules.map(({ schemas = {} }) => schemas));
  const { openAPIRegistry: registry } = app;
  registry.register('Problem', Problem);
  registry.registerComponent('schemas', 'GatewayError', {
    type: 'object',
    description:
      'What the gateway answers itself: without a valid token, above its rate, or without an answer of the API',
    properties: { message: { type: 'string' } },
    required: ['message'],
    examples: [{ message: 'Unauthorized' }],
  });
  registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token of the user directory, or of the deployment’s own identity provider',
  });
  registry.registerComponent('parameters', 'OnBehalfOf', {
    name: onBehalfOf,
    in: 'header',
    required: false,
    schema: { type: 'string' },
    description: 'For a machine’s token only: the user for whom it acts, by the `sub` of their tokens',
  });
  for (const [name, response] of Object.values(refusals)) registry.registerComponent('responses', name, response);

  app.doc31(
    '/openapi.json',
    {
      openapi: '3.1.0',
      info: { title: 'Vigil', version: '1', description, license },
      servers: [{ url: '.', description: 'The folder of this document: the API’s address, or `/api` of the page' }],
      tags: Object.entries(Object.assign({ ...tags }, ...modules.map((one) => one.tags)) as Record<string, string>).map(
        ([name, description]) => ({ name, description }),
      ),
    },
    { sortComponents: 'alphabetically' },
  );
}
