import type { IncomingMessage } from 'node:http';

/**
 * The security headers of the page. It may run and show its own files, and connect to this server and its WebSocket by
 * either loopback name. Nothing inline, nothing from other sites and no frames: what a model writes stays text.
 */
export function pageHeaders({ socket }: Pick<IncomingMessage, 'socket'>): Record<string, string> {
  const webSockets = ['127.0.0.1', 'localhost'].map((name) => `ws://${name}:${socket.localPort}`).join(' ');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    "manifest-src 'self'",
    `connect-src 'self' ${webSockets}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}
