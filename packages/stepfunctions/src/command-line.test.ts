import { help, readCommandLine } from './command-line';
import { readSettings } from './settings';

const read = (args: string[], env: NodeJS.ProcessEnv = {}) => {
  const { variables, named } = readCommandLine(args);
  return readSettings({ ...env, ...variables }, named);
};

test('an option says what its variable says, and comes first', () => {
  const args = ['--port=0', '--aws-account', '000000000000', '--lambda-endpoint', 'http://127.0.0.1:4000/'];
  expect(read(args, { PORT: '9000', AWS_DEFAULT_REGION: 'eu-west-1' })).toMatchObject({
    port: 0,
    accountId: '000000000000',
    region: 'eu-west-1',
    endpoints: { lambda: 'http://127.0.0.1:4000' },
  });
  expect(read(['--mock-config', 'mocks.json', '--wait-time-scale', '0.1'])).toMatchObject({
    port: 8083,
    mockConfiguration: 'mocks.json',
    waitTimeScale: 0.1,
  });
});

test('it serves this machine from memory, unless it is told otherwise', () => {
  expect(readCommandLine([])).toMatchObject({ asks: 'to serve', host: '127.0.0.1', directory: undefined });
  expect(readCommandLine(['--host', '0.0.0.0', '--directory', 'state'])).toMatchObject({
    host: '0.0.0.0',
    directory: 'state',
  });
  expect(readCommandLine(['-h']).asks).toBe('for help');
  expect(readCommandLine(['--version']).asks).toBe('for the version');
});

test.each([
  [['--prot', '1'], "Unknown option '--prot'. --help lists the options."],
  [['--port'], "Option '--port <value>' argument missing. --help lists the options."],
  [['8083'], "Unexpected argument '8083'. --help lists the options."],
  [['--directory='], '--directory is empty; it takes FOLDER.'],
  [['--port', 'x'], '--port is no number from 0 up: x'],
  [['--port', '70000'], '--port is no port: 70000'],
  [['--aws-account', '1'], '--aws-account is no account of twelve digits: 1'],
  [['--s3-endpoint', 'here'], '--s3-endpoint is no address such as http://127.0.0.1:4000: here'],
])('%j is refused in one line: %s', (args, message) => {
  expect(() => read(args)).toThrow(new Error(message));
});

test('a variable that makes no sense is refused by its name', () => {
  expect(() => read([], { SQS_ENDPOINT: 'somewhere' })).toThrow('SQS_ENDPOINT');
});

test('--help lists each option with its variable', () => {
  expect(help()).toMatch(/--port NUMBER +default 8083; 0 takes a free one \(PORT\)\n/);
  expect(help()).toMatch(/--mock-config FILE .*\(SFN_MOCK_CONFIG\)\n/);
  for (const line of help().split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});
