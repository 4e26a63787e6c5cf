import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { signIn } from './support/api-client';
import { endCloud, serveCloud } from './support/clouds/served-cloud';
import { startModelServer } from './support/servers/model-server';
import { call, wordsOf } from './support/stories/transcript';

// A new agent is one file, a new tool is one file, and nothing else is touched.

const root = join(__dirname, '..');

// Each test synthesizes in a process of its own.
jest.setTimeout(120_000);

const agent = `
import { defineAgent } from '../core/conversations/agent/agent';
import { weather } from '../tools/weather';

// Talks to anybody who goes out.
// May look up the weather.
// Must never promise sunshine.
export const weatherAgent = defineAgent({
  name: 'weather',
  purpose: 'Tells the weather.',
  instructions: 'Tell the weather.',
  model: 'gpt-6.1-terra',
  tools: [weather],
});
`;

const tool = `
import * as z from 'zod';
import { defineTool } from '../core/conversations/agent/tool';
import { serveTool } from '../runtime/serve-tool';

export const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather at a place, now.',
  input: z.object({ place: z.string().describe('Where') }),
  output: z.object({ weather: z.string() }),
  effect: 'read',
  source: 'none',
  needs: { secrets: { WEATHER_API_KEY: 'The key of the weather service' }, variables: ['WEATHER_UNITS'] },
  async execute({ place }) {
    const secret = process.env.WEATHER_API_KEY_SECRET_ARN?.includes('WeatherApiKey');
    return { weather: \`20 \${process.env.WEATHER_UNITS} in \${place}, \${secret ? 'with' : 'without'} a key\` };
  },
});

export const handler = serveTool(weather);
`;

const shared = `
import * as z from 'zod';

export const Place = z.string().describe('Where');
export const unit = () => process.env.WEATHER_UNITS;
`;

const make = `
import { synthesize } from './infra/synth';

synthesize('assembly', undefined, undefined, 'kept').catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
`;

describe('authoring (R15, R96)', () => {
  let copy: string;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'vigil-authoring-'));
    const files = execFileSync(
      'git',
      ['ls-files', 'agents', 'core', 'infra', 'lambdas', 'runtime', 'statemachines', 'tools', '*.json'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    for (const file of files.split('\n').filter(Boolean)) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(root, file), join(copy, file));
    }
    writeFileSync(join(copy, 'make.ts'), make);
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  /** In a process of its own, from the copy's own code. */
  const synthesize = () =>
    execFileSync(process.execPath, ['--import', 'tsx', 'make.ts'], { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });

  /** What it prints when it fails. */
  const refusal = () => {
    try {
      return `Nothing is refused: ${synthesize()}`;
    } catch (error) {
      return String((error as { stderr: Buffer }).stderr).trim();
    }
  };

  test('an agent that names a tool without a file is refused in one line', () => {
    writeFileSync(join(copy, 'agents/weather-agent.ts'), agent.replace('../tools/weather', '../core/weather'));
    writeFileSync(join(copy, 'core/weather.ts'), tool.replaceAll('../core/', './'));
    expect(synthesize).toThrow(
      'tool weather: expected its definition and handler in tools/**/weather.ts, which does not exist',
    );
    rmSync(join(copy, 'core/weather.ts'));
  });

  const refused: [name: string, change: (tool: string) => string, line: string][] = [
    [
      'an error in its definition',
      (text) => text.replace(".describe('Where')", '.describe(text.where)'),
      'agents/index.ts does not load: ReferenceError: text is not defined (tools/weather.ts:9)',
    ],
    [
      'no handler',
      (text) => text.replace('export const handler', 'export const handle'),
      'tool weather (tools/weather.ts) does not load: it exports no function "handler"',
    ],
  ];

  test.each(refused)('a tool with %s stops the synthesis in one line (R125)', (_, change, line) => {
    writeFileSync(join(copy, 'agents/weather-agent.ts'), agent);
    writeFileSync(join(copy, 'tools/weather.ts'), change(tool));
    expect(refusal()).toBe(line);
  });

  test('two new files and a schema that they share make a new agent with a new tool: synthesized, served, and it answers (R125)', async () => {
    writeFileSync(join(copy, 'agents/weather-agent.ts'), agent);
    mkdirSync(join(copy, 'shared'));
    writeFileSync(join(copy, 'shared/place.ts'), shared);
    const sharing = tool
      .replace("z.string().describe('Where')", 'Place')
      .replace('process.env.WEATHER_UNITS', 'unit()');
    writeFileSync(join(copy, 'tools/weather.ts'), `import { Place, unit } from '../shared/place';${sharing}`);
    synthesize();
    const model = await startModelServer({ script: [call('a', 'weather', { place: 'Rome' }), { text: 'Mild.' }] });
    const variables = {
      WEATHER_UNITS: 'degrees',
      WEATHER_API_KEY: 'key',
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'k',
    };
    const cloud = await serveCloud(join(copy, 'assembly'), join(copy, 'state'), { ...process.env, ...variables });
    try {
      const ada = await signIn(cloud.url, 'ada');
      const { id } = await ada.start('weather', 'How is it in Rome?');
      const done = await ada.finished(id);
      expect(wordsOf(done).at(-1)).toEqual(['weather', 'Mild.']);
      expect(done.calls).toMatchObject([{ result: { weather: '20 degrees in Rome, with a key' } }]);
    } finally {
      await endCloud(cloud, 'SIGTERM');
      await model.stop();
    }
  });
});
