import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { send } from './http-server';
import { pageHeaders } from './page-headers';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/**
 * Serves the files of one folder. Resolves with false if there is no such file, so that the API can handle the path.
 */
export function staticFiles(folder: string): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  return async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const file = fileOf(folder, request.url ?? '/');
    const type = file && types[extname(file)];
    if (!file || !type) return false;
    const content = await readFile(file).catch(() => undefined);
    if (!content) return false;
    send(response, 200, content, {
      'content-type': type,
      // Vite names assets by their content, so they never change.
      'cache-control': /^\/assets\//.test(request.url ?? '') ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...pageHeaders(request),
    });
    return true;
  };
}

/** Never a path outside the folder, never a hidden file. */
function fileOf(folder: string, url: string): string | undefined {
  const path = decode(new URL(url, 'http://local').pathname);
  if (path === undefined || path.includes('\0') || path.split('/').some((part) => part.startsWith('.')))
    return undefined;
  const file = normalize(join(folder, path === '/' ? 'index.html' : path));
  return file.startsWith(normalize(folder) + sep) ? file : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
