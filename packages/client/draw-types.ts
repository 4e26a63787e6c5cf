/** `npx tsx packages/client/draw-types.ts` draws `src/api-types.ts` from the schemas of docs/openapi.json. A test compares them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';

interface OpenApi {
  components: { schemas: Record<string, object> };
}

const file = join(__dirname, 'src/api-types.ts');

async function drawTypes(): Promise<string> {
  const { components } = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as OpenApi;
  const schemas = JSON.stringify({ $defs: components.schemas }).replaceAll('#/components/schemas/', '#/$defs/');
  const types = await compile(JSON.parse(schemas) as JSONSchema, 'Api', {
    additionalProperties: false,
    bannerComment: '// Drawn from docs/openapi.json by draw-types.ts.',
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
    style: { singleQuote: true, printWidth: 120 },
  });
  // The schema around them has no type, and each type says that it is one of its definitions.
  return types
    .replace(/export interface Api \{[^}]*\}\n/, '')
    .replaceAll(/(?: \*\n)? \* This interface was referenced by[\s\S]*?(?= \*\/)/g, '')
    .replaceAll(/\/\*\*\n \*\/\n/g, '');
}

void drawTypes().then((types) => {
  if (process.argv.includes('--print')) process.stdout.write(types);
  else writeFileSync(file, types);
});
