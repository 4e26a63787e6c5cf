import { join, resolve } from 'node:path';
import { openBuilder } from '../build/builder';
import { builtPage } from './page';
import type { Project } from './project';
import { synthesisInputs } from './start-settings';

/** This repository, with the agents that come with it. */
export function repository(): Project {
  const root = resolve(__dirname, '../..');
  return {
    root,
    sources: synthesisInputs(process.env).sources,
    builder: openBuilder(),
    web: join(root, 'web/dist'),
    buildPage: (say) => builtPage(root, say),
    command: 'npm start --',
    example: { agent: 'reminder', text: 'Remind me tomorrow at 8am to check out https://example.org/news' },
  };
}
