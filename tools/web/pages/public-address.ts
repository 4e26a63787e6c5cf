import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

// What an address of the web may be. Whoever asks for a page must not be able to reach what only this function can
// reach: its own process, the network that it runs in, a metadata service with its credentials.

const ports = new Set(['', '80', '443', '8080', '8443']);
/** IANA has given out no IPv6 address of the public internet outside this block. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** A public address by its range, but a metadata service for the machines of Azure. */
const knownServices = new Set(['168.63.129.16']);
/** Names that some network gives to its own machines. `.example`, `.test` and the like are nobody's, and harmless. */
const localSuffixes = String.raw`localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa`;
const localNames = new RegExp(String.raw`(?:^|\.)(?:${localSuffixes})$`);

/**
 * Whether an IP address belongs to the public internet. An address that stands for an IPv4 one (mapped, NAT64, 6to4, Teredo)
 * is none, whatever it stands for.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || knownServices.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(globalUnicast);
}

/**
 * Why a page at this address is not read, in words for the model; nothing if it may be. A name is judged as it is written:
 * who connects to it must check the addresses that it leads to as well.
 */
export function refusalOf(address: string): string | undefined {
  if (!URL.canParse(address)) return 'That is no web address. Give a whole one, such as https://www.example.org/page.';
  // The parser turns decimal, octal and hexadecimal spellings of an IPv4 address into the usual one.
  const { protocol, username, password, port, hostname } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return 'Only http and https addresses can be read.';
  if (username || password) return 'Addresses with a user name or a password in them are not read.';
  if (!ports.has(port)) return `Port ${port} is not read: only the usual ports of web pages are.`;
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');
  const isLocal = isIP(host) ? !isPublicAddress(host) : !host.includes('.') || localNames.test(host);
  return isLocal ? notPublic : undefined;
}

/**
 * The same for a browser elsewhere that refuses requests by pattern: regular expressions of addresses as a browser writes them, so that an
 * IPv4 address has its four numbers. Stricter where a pattern cannot tell: no IPv6 address at all.
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

export const notPublic = 'That address is not on the public internet, and is not read.';
