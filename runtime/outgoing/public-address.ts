import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

// The addresses that may be fetched. A request for a page must not reach what only this function can reach: its own process, its
// network, a metadata service with its credentials.

const ports = new Set(['', '80', '443', '8080', '8443']);
/** IANA has assigned all public IPv6 addresses from this block. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** Azure's metadata service, whose address is in a public range. */
const knownServices = new Set(['168.63.129.16']);
/** Suffixes of private networks' names. `.example`, `.test` and similar reserved ones are harmless. */
const localSuffixes = String.raw`localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa`;
const localNames = new RegExp(String.raw`(?:^|\.)(?:${localSuffixes})$`);

/**
 * Whether an IP address belongs to the public internet. IPv6 addresses that embed an IPv4 address (mapped, NAT64, 6to4, Teredo) never
 * do.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || knownServices.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(globalUnicast);
}

/**
 * Returns, for the model, why a page at this address is not read; undefined if it may be read. A name is checked only as it is
 * written. The caller must also check the IP addresses that it resolves to.
 */
export function refusalOf(address: string): string | undefined {
  if (!URL.canParse(address))
    return 'That is not a web address. Give a full one, such as https://www.example.org/page.';
  // The URL parser normalizes decimal, octal and hexadecimal IPv4 addresses.
  const { protocol, username, password, port, hostname } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return 'Only http and https addresses can be read.';
  if (username || password) return 'Addresses that contain a user name or a password are not read.';
  if (!ports.has(port)) return `Port ${port} is not allowed; only the usual ports of web pages are.`;
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
  const isLocal = isIP(host) ? !isPublicAddress(host) : !host.includes('.') || localNames.test(host);
  return isLocal ? notPublic : undefined;
}

/**
 * The same rules as regular expressions, for a remote browser that rejects requests by pattern. The browser normalizes addresses, so an
 * IPv4 address has four decimal numbers. All IPv6 addresses are rejected, because a pattern cannot distinguish them.
 */
export const inside: string[] = [
  String.raw`^\w+://(?:0|10|127)\.`,
  String.raw`^\w+://100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.`,
  String.raw`^\w+://169\.254\.`,
  String.raw`^\w+://172\.(?:1[6-9]|2\d|3[01])\.`,
  String.raw`^\w+://192\.168\.`,
  String.raw`^\w+://198\.1[89]\.`,
  ...[...knownServices].map((address) => String.raw`^\w+://` + address.replaceAll('.', String.raw`\.`)),
  String.raw`^\w+://\[`,
  String.raw`^\w+://[^/?#.:]+\.?(?:[:/?#]|$)`,
  String.raw`^\w+://[^/?#:]+\.(?:${localSuffixes})\.?(?:[:/?#]|$)`,
];

export const notPublic = 'That address is not on the public internet, so it is not read.';
