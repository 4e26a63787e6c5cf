/** `npm run build -w vigil-client`: see `packages/build.ts`. */
import { buildAsCommand, type PackageBuild } from '../build';
import manifest from './package.json';

export const client: PackageBuild = { folder: __dirname, manifest, forPages: true };

buildAsCommand(module, client);
