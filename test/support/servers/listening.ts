import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const lines = (file: string): string[] => readFileSync(file, 'utf8').split('\n');
/** Processes end while they are looked at. */
const tried = <T>(read: () => T, otherwise: T): T => {
  try {
    return read();
  } catch {
    return otherwise;
  }
};

/** Returns the addresses, as `127.0.0.1:3000`, on which a process and its descendants listen. Linux only. */
export function listeningAddresses(pid: number): string[] {
  const family = [pid, ...descendants(pid)];
  const sockets = new Set(family.flatMap((one) => socketsOf(one)));
  return [...lines('/proc/net/tcp'), ...tried(() => lines('/proc/net/tcp6'), [])]
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && sockets.has(inode ?? ''))
    .map(([, local = '']) => addressOf(local))
    .sort();
}

function descendants(pid: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parentOf = (one: string) => tried(() => readFileSync(`/proc/${one}/stat`, 'utf8').replace(/^.*\) \S /, ''), '');
  const children = pids.filter((one) => Number.parseInt(parentOf(one), 10) === pid).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  const links = tried(() => readdirSync(folder), []).map((fd) => tried(() => readlinkSync(`${folder}/${fd}`), ''));
  return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
}

/** The kernel writes an IPv4 address in hexadecimal with its bytes reversed; one of IPv6 is left as it is. */
function addressOf(local: string): string {
  const [address = '', port = ''] = local.split(':');
  const bytes = Buffer.from(address, 'hex').reverse();
  return `${bytes.length === 4 ? bytes.join('.') : address}:${Number.parseInt(port, 16)}`;
}
