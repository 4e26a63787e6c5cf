import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { urlIn } from '../../core/base/text/web-address';

// The addresses that may be fetched. A request for a page must not reach what only this function can reach: its own process, its
// network, a metadata service with its credentials.

const ports = new Set(['', '80', '443', '8080', '8443']);
/**
 * The IPv4 addresses that are not of the public internet: the one list, from which the rules for code and for browsers derive. They are
 * IANA's special-purpose addresses (https://www.iana.org/assignments/iana-ipv4-special-registry), multicast, and metadata services of
 * clouds. Those of AWS, Google, Oracle, Alibaba and Tencent are in the ranges of link-local, protocol and shared addresses.
 */
const innerBlocks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's metadata service.
  '168.63.129.16/32',
];
/** IANA has assigned all public IPv6 addresses from this block. Special ones in it are below. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** Protocol assignments with Teredo and ORCHID, documentation, 6to4, and AS112. */
const innerBlocks6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map((block) =>
  ipaddr.IPv6.parseCIDR(block),
);
/** Suffixes of private networks' names. `.example`, `.test` and similar reserved ones are harmless. */
const localSuffixes = String.raw`localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa`;
const localNames = new RegExp(String.raw`(?:^|\.)(?:${localSuffixes})$`);
const inner = innerBlocks.map((block) => ipaddr.IPv4.parseCIDR(block));

/**
 * Whether an IP address belongs to the public internet. IPv6 addresses that embed an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo)
 * never do, nor do those with a zone.
 */
export function isPublicAddress(address: string): boolean {
  if (!isIP(address) || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return !inner.some((block) => parsed.match(block));
  return parsed.match(globalUnicast) && !innerBlocks6.some((block) => parsed.match(block));
}

/**
 * Returns, for the model, why a page at this address is not read; undefined if it may be read. A name is checked only as it is
 * written. The caller must also check the IP addresses that it resolves to.
 */
export function refusalOf(address: string): string | undefined {
  const url = urlIn(address);
  if (!url) return 'That is not a web address. Give a full one, such as https://www.example.org/page.';
  // The URL parser normalizes decimal, octal and hexadecimal IPv4 addresses.
  const { protocol, username, password, port, hostname } = url;
  if (protocol !== 'http:' && protocol !== 'https:') return 'Only http and https addresses can be read.';
  if (username || password) return 'Addresses that contain a user name or a password are not read.';
  if (!ports.has(port)) return `Port ${port} is not allowed; only the usual ports of web pages are.`;
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
  const isLocal = isIP(host) ? !isPublicAddress(host) : !host.includes('.') || localNames.test(host);
  return isLocal ? notPublic : undefined;
}

/**
 * The same rules as regular expressions, for a remote browser that rejects requests by pattern. The browser normalizes addresses, so an
 * IPv4 address has four decimal numbers. All IPv6 addresses are rejected, because a pattern cannot distinguish them, and so are other
 * schemes than a page needs.
 */
const authority = String.raw`^[^:/?#]+:\/\/(?:[^/?#@]*@)*`;
export const inside: string[] = [
  '^(?!(?:https?|wss?|data|blob|about):)',
  ...innerBlocks.map((block) => authority + patternOf(block)),
  String.raw`${authority}\[`,
  String.raw`${authority}[^/?#.:@]+\.?(?:[:/?#]|$)`,
  String.raw`${authority}[^/?#:@]+\.(?:${localSuffixes})\.?(?:[:/?#]|$)`,
];

/** Returns the pattern of a block of IPv4 addresses: whole numbers as they are, the one that the block divides as its alternatives. */
function patternOf(block: string): string {
  const [address, bits] = ipaddr.IPv4.parseCIDR(block);
  const [whole, divided] = [Math.floor(bits / 8), bits % 8];
  const numbers = address.octets.slice(0, whole).map(String);
  if (divided > 0) {
    const first = address.octets[whole]!;
    const alternatives = Array.from({ length: 2 ** (8 - divided) }, (_, index) => first + index);
    numbers.push(`(?:${alternatives.join('|')})`);
  }
  return numbers.join(String.raw`\.`) + (numbers.length < 4 ? String.raw`\.` : '(?![0-9.])');
}

export const notPublic = 'That address is not on the public internet, so it is not read.';
