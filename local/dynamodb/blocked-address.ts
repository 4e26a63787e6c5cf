import { randomInt } from 'node:crypto';

/**
 * The addresses of the DynamoDB engine. The engine has no key and no Unix socket: it serves any page, under any name.
 * So it listens on a port that browsers block. They refuse every request to these ports before they connect: scripts,
 * forms, frames, redirects, WebSockets, by any name of this machine. https://fetch.spec.whatwg.org/#port-blocking
 */
export interface Address {
  host: string;
  port: number;
}

/** Without the ports below 1024, which need rights, and without 4190 and 6679, which the standard blocks and Chromium does not. */
export const blockedPorts: readonly number[] = [
  1719, 1720, 1723, 2049, 3659, 4045, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10_080,
];

/**
 * Returns addresses to try, in random order. macOS has only 127.0.0.1. Elsewhere all of 127.0.0.0/8 is this machine, so
 * any number of engines run side by side.
 */
export function blockedAddresses(platform: string = process.platform): Address[] {
  return shuffled(blockedPorts).map((port) => ({ host: platform === 'darwin' ? '127.0.0.1' : anyLoopback(), port }));
}

/** Not 127.0.0.0/16, where systems put services of their own. */
function anyLoopback(): string {
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

function shuffled<T>(list: readonly T[]): T[] {
  const left = [...list];
  return list.flatMap(() => left.splice(randomInt(left.length), 1));
}
