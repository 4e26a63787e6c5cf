import { execFileSync } from 'node:child_process';
import { optionalDependencies } from '../../package.json';
import { findBinary } from './binary';

/** Returns the error's message, and its indented lines, which can be pasted. */
function refusal(platform: string, arch: string): { message: string; commands: string[] } {
  try {
    findBinary(platform, arch);
  } catch (error) {
    const { message } = error as Error;
    return { message, commands: message.split('\n').flatMap((line) => /^ {2}(.*)/.exec(line)?.[1] ?? []) };
  }
  throw new Error('A binary is there.');
}

const docker =
  'docker run -d --name vigil-dynamodb -p 127.0.0.1:8000:8000 amazon/dynamodb-local -jar DynamoDBLocal.jar -sharedDb -dbPath /tmp';
const java = expect.stringMatching(
  /^mkdir -p \S+ && cd \S+ && curl -fsSL https:\S+\.tar\.gz \| tar -xzf - && java \S+ -jar DynamoDBLocal\.jar -sharedDb -dbPath \.$/,
);
const start = 'DYNAMODB_ENDPOINT=http://127.0.0.1:8000 npm start';

test('the platforms with a package are those that Dynoxide supports, at one exact version', () => {
  const packages = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'].map((name) => [
    `@dynoxide/${name}`,
    '1.2.1',
  ]);
  expect(optionalDependencies).toEqual(Object.fromEntries(packages));
});

test('a platform whose package is not installed gets the commands that install it or start DynamoDB Local', () => {
  const { message, commands } = refusal('darwin', 'arm64');
  expect(message.split('\n')[0]).toBe('There is no DynamoDB engine for darwin-arm64. Install it:');
  expect(commands).toEqual(['npm install --no-save @dynoxide/darwin-arm64@1.2.1', docker, java, start]);
});

test('a platform without a package gets the commands that start DynamoDB Local', () => {
  const { message, commands } = refusal('linux', 'arm');
  expect(message.split('\n')[0]).toBe('There is no DynamoDB engine for linux-arm. Start DynamoDB Local:');
  expect(commands).toEqual([docker, java, start]);
});

test('Windows gets the variable as PowerShell sets it', () => {
  expect(refusal('win32', 'arm64').commands).toEqual([
    docker,
    "$env:DYNAMODB_ENDPOINT = 'http://127.0.0.1:8000'; npm start",
  ]);
});

test('every command but those for PowerShell is valid in /bin/sh', () => {
  for (const command of refusal('darwin', 'x64').commands) execFileSync('/bin/sh', ['-n', '-c', command]);
});
