import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { inside, isPublicAddress, refusalOf } from './public-address';

describe('an IP address of the public internet (R123)', () => {
  test.each(['8.8.8.8', '93.184.216.34', '172.15.255.255', '172.32.0.1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])(
    '%s is one',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  test.each([
    ['in a zone', ['fe80::1%eth0']],
    ['metadata', ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16']],
    ['mapped IPv4', ['::ffff:8.8.8.8']],
    ['none at all', ['', 'localhost', '1.2.3.4.5', '300.1.1.1', '::1::']],
  ])('%s is none', (_kind, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});

describe('the address of a page (R123)', () => {
  test.each([
    'https://www.example.org/a?b=c#d',
    'http://93.184.216.34/',
    'https://kyoto.example/sights',
    'https://example.org:8443/',
    'http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    'https://localhost.example.org/',
    'https://münchen.example/',
  ])('%s may be read', (address) => expect(refusalOf(address)).toBeUndefined());

  test.each([
    [
      'another way in',
      ['file:///etc/passwd', 'ftp://example.org/', 'gopher://example.org/', 'data:text/html,x', 'javascript:1'],
    ],
    ['a user in it', ['https://user@example.org/', 'https://a:b@example.org/', 'http://example.org@127.0.0.1/']],
    ['another port', ['http://example.org:22/', 'http://example.org:6379/', 'https://example.org:3000/']],
    [
      'loopback',
      ['http://127.0.0.1/', 'http://127.1/', 'http://127.0.0.1./', 'http://[::1]/', 'http://0/', 'http://[::]/'],
    ],
    ['decimal', ['http://2130706433/', 'http://2852039166/']],
    ['octal', ['http://0177.0.0.1/', 'http://017700000001/', 'http://0251.0376.0251.0376/']],
    ['hexadecimal', ['http://0x7f000001/', 'http://0x7f.1/', 'http://0xa9.0xfe.0xa9.0xfe/latest/meta-data/']],
    ['other digits', ['http://１２７.０.０.１/', 'http://①②⑦.0.0.1/', 'http://127。0。0。1/']],
    [
      'IPv4 inside IPv6',
      [
        'http://[::ffff:127.0.0.1]/',
        'http://[::ffff:a9fe:a9fe]/',
        'http://[64:ff9b::10.0.0.1]/',
        'http://[2002:7f00:1::]/',
      ],
    ],
    [
      'metadata',
      ['http://169.254.169.254/latest/meta-data/', 'http://[fd00:ec2::254]/', 'http://metadata.google.internal/'],
    ],
    [
      'local names',
      [
        'http://localhost/',
        'http://LOCALHOST./',
        'http://a.localhost/',
        'http://printer.local/',
        'http://db.internal.',
        'http://metadata/',
        'http://api.svc.cluster.local/',
      ],
    ],
    ['no address', ['', 'kyoto', 'www.example.org', '//example.org', 'http://', 'http://[::1', 'http://exa mple.org/']],
  ])('with %s it may not', (_kind, addresses) => {
    expect(addresses.filter((address) => refusalOf(address) === undefined)).toEqual([]);
  });
});

const isInside = (address: string) => inside.some((pattern) => new RegExp(pattern).test(address));
const inner = [
  'http://localhost./',
  'http://metadata.:8080/',
  'https://127.0.0.1:8080/',
  'http://168.63.129.16/',

  'http://localhost/',
  'http://printer:631/',
  'http://router',
  'http://db.internal/',
  'http://a.cluster.local?q',
  'ws://x.home.arpa/',
  'http://192.0.0.192/opc/v1/instance/',
  'http://a@10.0.0.1/',
  'http://a:b@c@localhost/',
  'file:///etc/passwd',
  'chrome://settings/',
];
const outer = [
  'https://kyoto.example/a.local/b',
  'https://172.217.1.1/',
  'https://100.128.0.1/',
  'https://www.example.org:8443/?x=http://10.0.0.1/',
  'https://168.63.129.160/',
  'https://223.255.255.1/@10.0.0.1',
  'wss://www.example.org/live',
  'data:image/png;base64,AAAA',
  'blob:https://www.example.org/1',
  'about:blank',
];
test('a browser elsewhere is told to refuse what is inside, and no other address (R123)', () => {
  expect(inner.filter((address) => !isInside(address))).toEqual([]);
  expect(outer.filter(isInside)).toEqual([]);
});

/**
 * IANA's registries of special-purpose addresses as they stand (RFC 6890), with multicast and what was reserved before them, whether or not
 * an address is globally reachable.
 */
const special = [
  '0.0.0.0/8',
  '0.0.0.0/32',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.0.0/29',
  '192.0.0.8/32',
  '192.0.0.9/32',
  '192.0.0.10/32',
  '192.0.0.170/32',
  '192.0.0.171/32',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.88.99.2/32',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
  '::1/128',
  '::/128',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/23',
  '2001::/32',
  '2001:1::1/128',
  '2001:1::2/128',
  '2001:1::3/128',
  '2001:2::/48',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:30::/28',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  '::/96',
  '::ffff:0:0:0/96',
].map((block) => ipaddr.parseCIDR(block));

const addressOf = (bytes: number[]) => ipaddr.fromByteArray(bytes).toString();
const bytesOf = (length: number) => fc.array(fc.nat(255), { minLength: length, maxLength: length });
const isIn = (address: string, [network, bits]: (typeof special)[number]): boolean => {
  const parsed = ipaddr.parse(address);
  return parsed.kind() === network.kind() && (parsed as ipaddr.IPv4).match(network as ipaddr.IPv4, bits);
};
/** The first and last addresses of a block, and any in it. */
const within = ([network, bits]: (typeof special)[number]) => {
  const first = network.toByteArray();
  return bytesOf(first.length).chain((bytes) =>
    fc
      .constantFrom(
        bytes,
        first.map(() => 0),
        first.map(() => 255),
      )
      .map((random) =>
        addressOf(
          first.map((byte, index) => {
            const mask = 255 >> Math.min(8, Math.max(0, bits - index * 8));
            return (byte & ~mask) | (random[index]! & mask);
          }),
        ),
      ),
  );
};

describe('the registry of special-purpose addresses', () => {
  test.each(special.map((block) => [`${block[0]}/${block[1]}`, block] as const))(
    'no address in %s is public, for code and for a browser elsewhere (R123)',
    (_name, block) => {
      fc.assert(
        fc.property(within(block), (address) => {
          expect(isPublicAddress(address)).toBe(false);
          const host = address.includes(':') ? `[${address}]` : address;
          expect(isInside(`http://${host}/`)).toBe(true);
          expect(refusalOf(`http://${host}/`)).toBeDefined();
        }),
        { numRuns: 30 },
      );
    },
  );

  test('every IPv4 address outside of it is public, but for known metadata services; both rules agree (R123)', () => {
    fc.assert(
      fc.property(bytesOf(4).map(addressOf), (address) => {
        const expected = address !== '168.63.129.16' && !special.some((block) => isIn(address, block));
        expect([isPublicAddress(address), !isInside(`http://${address}/`)]).toEqual([expected, expected]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('an IPv6 address that has an IPv4 address inside is none, however it is written (R123)', () => {
    fc.assert(
      fc.property(bytesOf(4), ([a, b, c, d]) => {
        const hex = (high = 0, low = 0) => (high * 256 + low).toString(16);
        const [high, low] = [hex(a, b), hex(c, d)];
        for (const prefix of ['::ffff:', '::', '64:ff9b::', '64:ff9b:1::', '::ffff:0:'])
          expect([`${prefix}${high}:${low}`, `${prefix}${a}.${b}.${c}.${d}`].filter(isPublicAddress)).toEqual([]);
        expect(isPublicAddress(`2002:${high}:${low}::1`)).toBe(false);
      }),
    );
  });
});
