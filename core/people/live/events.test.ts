import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventDetails } from './events';

const page = readFileSync(join(__dirname, '../../../docs/events.md'), 'utf8');

test.each(Object.entries(eventDetails))('docs/events.md tells of every field of %s', (detailType, schema) => {
  const names = [detailType, ...Object.keys(schema.shape), ...schema.shape.status.options];
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
