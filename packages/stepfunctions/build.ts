/** `npm run build -w vigil-stepfunctions`: see `packages/build.ts`. */
import { buildAsCommand, type PackageBuild } from '../build';
import manifest from './package.json';

export const engine: PackageBuild = { folder: __dirname, manifest, command: './src/main.ts' };

buildAsCommand(module, engine);
