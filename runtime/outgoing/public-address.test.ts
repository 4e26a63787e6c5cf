import { inside, isPublicAddress, refusalOf } from './public-address';

describe('an IP address of the public internet (R123)', () => {
  test.each(['8.8.8.8', '93.184.216.34', '172.15.255.255', '172.32.0.1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])(
    '%s is one',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  test.each([
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
    ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1']],
    ['link-local', ['169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1']],
    ['metadata', ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16']],
    ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255']],
    ['multicast and broadcast', ['224.0.0.1', '239.255.255.250', '255.255.255.255', 'ff02::1']],
    ['reserved and documentation', ['192.0.2.1', '198.18.0.1', '203.0.113.7', '240.0.0.1', '2001:db8::1', '3fff::1']],
    ['mapped IPv4', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1', '::7f00:1']],
    ['NAT64', ['64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b:1::a00:1']],
    ['6to4 and Teredo', ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2']],
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
  ...[
    'http://10.0.0.1/',
    'http://198.18.0.1/',
    'http://198.19.255.255/',
    'http://localhost./',
    'http://metadata.:8080/',
    'https://127.0.0.1:8080/',
    'http://0.0.0.0/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest',
  ],
  ...['http://172.16.3.4/', 'http://172.31.0.1/', 'http://192.168.1.1/', 'http://168.63.129.16/', 'http://[::1]/'],
  ...[
    'http://localhost/',
    'http://printer:631/',
    'http://router',
    'http://db.internal/',
    'http://a.cluster.local?q',
    'ws://x.home.arpa/',
  ],
];
const outer = [
  'https://kyoto.example/a.local/b',
  'https://172.217.1.1/',
  'https://100.128.0.1/',
  'https://www.example.org:8443/?x=http://10.0.0.1/',
];
test.each(inner)('a browser elsewhere is told to refuse %s (R123)', (address) => expect(isInside(address)).toBe(true));
test.each(outer)('and not %s (R123)', (address) => expect(isInside(address)).toBe(false));
