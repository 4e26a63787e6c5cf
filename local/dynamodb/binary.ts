import { existsSync } from 'node:fs';
import { optionalDependencies } from '../../package.json';

/**
 * Returns the path of the engine's binary, from the package `@dynoxide/<platform>-<arch>`. @throws NoDynamodbEngine
 * with the commands to type if it is missing.
 */
export function findBinary(platform: string = process.platform, arch: string = process.arch): string {
  const name = `@dynoxide/${platform}-${arch}`;
  try {
    const binary = require.resolve(`${name}/dynoxide${platform === 'win32' ? '.exe' : ''}`);
    if (existsSync(binary)) return binary;
  } catch {
    // The error below says what to do.
  }
  const version = (optionalDependencies as Record<string, string>)[name];
  const install = version && `  npm install --no-save ${name}@${version}`;
  throw Object.assign(new Error(commands(platform, arch, install)), { name: 'NoDynamodbEngine' });
}

const endpoint = 'http://127.0.0.1:8000';

/** With -sharedDb all access keys share the tables, with -dbPath they survive a restart. */
const docker =
  '  docker run -d --name vigil-dynamodb -p 127.0.0.1:8000:8000 amazon/dynamodb-local -jar DynamoDBLocal.jar -sharedDb -dbPath /tmp';
const java =
  '  mkdir -p ~/dynamodb-local && cd ~/dynamodb-local && curl -fsSL https://d1ni2b6xgvw0s0.cloudfront.net/v2.x/dynamodb_local_latest.tar.gz | tar -xzf - && ' +
  'java -Djava.library.path=DynamoDBLocal_lib -jar DynamoDBLocal.jar -sharedDb -dbPath .';

/** Each indented line can be pasted as it is: into PowerShell on Windows, into a POSIX shell elsewhere. */
function commands(platform: string, arch: string, install?: string): string {
  const windows = platform === 'win32';
  return [
    `There is no DynamoDB engine for ${platform}-${arch}. ${install ? 'Install it:' : 'Start DynamoDB Local:'}`,
    ...(install ? ['', install, '', 'Or start DynamoDB Local:'] : []),
    '',
    docker,
    ...(windows ? [] : ['', 'Without Docker, with Java 17 or newer, in another terminal:', '', java]),
    '',
    'Then start Vigil on it:',
    '',
    windows ? `  $env:DYNAMODB_ENDPOINT = '${endpoint}'; npm start` : `  DYNAMODB_ENDPOINT=${endpoint} npm start`,
  ].join('\n');
}
