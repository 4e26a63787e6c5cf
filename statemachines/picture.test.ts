import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { illustrated, pages } from '../test/support/draw-pictures';

test.each(pages.map(([file, definition]) => [basename(file), file, definition] as const))(
  'the picture and the table in %s match the definition',
  (_, file, definition) => {
    const document = readFileSync(file, 'utf8');
    // If this fails, run `npx tsx test/support/draw-pictures.ts`.
    expect(document).toBe(illustrated(document, definition));
  },
);
