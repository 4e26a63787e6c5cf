import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { illustrated, pages } from '../test/support/draw-pictures';

test.each(pages.map(([file, ...drawn]) => [basename(file), drawn[1]?.picture ?? 'picture', file, drawn] as const))(
  'the picture and the table in %s (%s) match the definition',
  (_, _mark, file, drawn) => {
    const document = readFileSync(file, 'utf8');
    // If this fails, run `npx tsx test/support/draw-pictures.ts`.
    expect(document).toBe(illustrated(document, ...drawn));
  },
);
