import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Whether a file is part of the package's compiled code. In this repository, files run as TypeScript. */
export const isCompiled = (file: string): boolean => file.endsWith('.js');

/** Node's options for a process that runs a file: the TypeScript loader, if the file needs it. */
export const loaderFor = (file: string): string[] =>
  isCompiled(file) ? [] : ['--import', pathToFileURL(createRequire(file).resolve('tsx')).href];
