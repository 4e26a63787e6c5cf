import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metadataIn, suggestion } from './metadata';
import { welcome } from './welcome';

const folder = mkdtempSync(join(tmpdir(), 'vigil-described-'));
afterAll(() => rmSync(folder, { recursive: true }));
function readFrom(template: object) {
  writeFileSync(join(folder, 'Shop.template.json'), JSON.stringify(template));
  return metadataIn(folder);
}

test.each([
  [{ Agents: [{ name: 'a' }, { name: 'b', example: 'What’s new?' }] }, { agent: 'b', text: 'What’s new?' }],
  [{ Agents: [{ name: 'a' }, { name: 'b' }] }, { agent: 'a', text: 'Hello' }],
  [{ Agents: [] }, { agent: 'my-agent', text: 'Hello' }],
  [undefined, { agent: 'my-agent', text: 'Hello' }],
])('of a template with %j, the suggested message is %j', (Metadata, suggested) => {
  expect(suggestion(readFrom({ Metadata }))).toEqual(suggested);
});

test('the line that is printed says the suggested message, whatever is in it', () => {
  const example = { agent: 'guide', text: `What's "open" on $HOME, \`date\` and \\n?` };
  const cloud = {
    url: 'u',
    awsUrl: 'a',
    clock: { offset: () => 0 },
    resources: { list: () => [] },
    unset: [],
  } as never;
  const rest = { model: 'm', search: 's', stateDirectory: 'd', watch: true, command: 'c', seconds: 1 };
  const [, word] = /-d (.*)$/m.exec(
    welcome({ cloud, example, ...rest })
      .split('content-type')
      .at(-1)!,
  )!;
  expect(JSON.parse(execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' }))).toEqual(example);
});
