import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { illustrated, pages } from './picture';

test.each(pages.map(([file, definition]) => [basename(file), file, definition] as const))(
  'the picture and the table in %s are those of the definition that ships',
  (_, file, definition) => {
    const document = readFileSync(file, 'utf8');
    // Not the same? `npx tsx statemachines/picture.ts` draws them again.
    expect(document).toBe(illustrated(document, definition));
  },
);
