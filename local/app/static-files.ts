import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { send } from './http-server';

/**
 * The security headers of the page. It may run and show its own files, send files to the bucket and show them, connect to
 * this server and its WebSocket by either loopback name, and frame itself: two people side by side are two of it. Nothing inline and nothing from other
 * sites: what a model writes stays text.
 */
function pageHeaders({ socket }: Pick<IncomingMessage, 'socket'>, filesUrl: string): Record<string, string> {
  const webSockets = ['127.0.0.1', 'localhost'].map((name) => `ws://${name}:${socket.localPort}`).join(' ');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' ${filesUrl}`,
    `media-src ${filesUrl}`,
    "manifest-src 'self'",
    `connect-src 'self' ${filesUrl} ${webSockets}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'self'",
    "frame-ancestors 'self'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

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

const isCompressible = (type: string): boolean => /^text\/|json|svg/.test(type);
const compressed = promisify(gzip);

/**
 * Serves the files of one folder, compressed as CloudFront does, with the theme of the deployment. Resolves with false if there is no such
 * file, so that the API can handle the path.
 */
export function staticFiles(
  folder: string,
  filesUrl: string,
  theme?: string,
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  const zipped = new Map<string, Buffer>();
  async function zip(file: string, content: Buffer, isConstant: boolean): Promise<Buffer> {
    const zip = zipped.get(file) ?? (await compressed(content));
    if (isConstant) zipped.set(file, zip);
    return zip;
  }

  return async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const file = fileOf(folder, request.url ?? '/');
    const type = file && types[extname(file)];
    if (!file || !type) return false;
    const isThemed = theme !== undefined && request.url === '/theme.css';
    const content = isThemed ? Buffer.from(theme) : await readFile(file).catch(() => undefined);
    if (!content) return false;
    const zips = isCompressible(type) && acceptsGzip(request);
    // Vite names assets by their content, so they never change.
    const isConstant = /^\/assets\//.test(request.url ?? '');
    send(response, 200, zips ? await zip(file, content, isConstant) : content, {
      'content-type': type,
      ...(zips && { 'content-encoding': 'gzip' }),
      ...(isCompressible(type) && { vary: 'accept-encoding' }),
      'cache-control': isConstant ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...pageHeaders(request, filesUrl),
    });
    return true;
  };
}

/** `gzip;q=0` refuses it. */
const acceptsGzip = ({ headers }: IncomingMessage): boolean =>
  /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))\s*(?:[;,]|$)/i.test(String(headers['accept-encoding'] ?? ''));

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
