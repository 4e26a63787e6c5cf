import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { signIn } from './support/api-client';
import { deployTo, endCloud, serveCloud } from './support/clouds/served-cloud';
import { type Reply, startModelServer } from './support/servers/model-server';
import { startThirdParty } from './support/servers/third-party';
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
import { TellModel } from '../core/base/text/errors';
import { serveTool } from '../runtime/serve-tool';

export const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather at a place, now.',
  input: z.object({ place: z.string().describe('Where') }),
  output: z.object({ weather: z.string() }),
  effect: 'once',
  source: 'none',
  needs: { secrets: ['WEATHER_API_KEY'], variables: ['WEATHER_SITE', 'WEATHER_UNITS'], optional: ['WEATHER_UNITS'] },
  async execute({ place }, { secrets, variables, callId }) {
    const headers = { 'idempotency-key': callId, authorization: secrets.WEATHER_API_KEY };
    if (place === 'Nowhere') throw new TellModel(\`No forecast for \${JSON.stringify(headers)}\`);
    const { ok } = await fetch(variables.WEATHER_SITE, { method: 'POST', headers });
    return { weather: \`20 \${unit(variables)} in \${place}, \${ok ? 'as asked' : 'as guessed'}\` };
  },
});

export const handler = serveTool(weather);

function unit({ WEATHER_UNITS = 'kelvin' }: { WEATHER_UNITS?: string }) {
  return WEATHER_UNITS;
}
`;

const shared = `
import * as z from 'zod';

export const Place = z.string().describe('Where');
export const unit = (variables: { WEATHER_UNITS?: string }) => variables.WEATHER_UNITS;
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

  test('two new files and a schema that they share make a new agent with a new tool, which works once its key is set, and shows it nowhere (R125, R247)', async () => {
    writeFileSync(join(copy, 'agents/weather-agent.ts'), agent);
    mkdirSync(join(copy, 'shared'));
    writeFileSync(join(copy, 'shared/place.ts'), shared);
    const sharing = tool.replace("z.string().describe('Where')", 'Place').replace(/\nfunction unit[^}]*}[^}]*}\n/, '');
    writeFileSync(join(copy, 'tools/weather.ts'), `import { Place, unit } from '../shared/place';${sharing}`);
    synthesize();
    const [model, service] = await Promise.all([startModelServer({ script: [] }), startThirdParty()]);
    const weather = (place: string) => call('a', 'weather', { place });
    const environment = { ...process.env, OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'k' };
    // A variable without a usual ending, and one that the template leaves open.
    const given = { WEATHER_SITE: service.url, WEATHER_API_KEY: 'key-of-the-weather', WEATHER_UNITS: 'degrees' };
    const cloud = await serveCloud(join(copy, 'assembly'), join(copy, 'state'), environment);
    const shown: string[] = [];
    const ask = async (...replies: Reply[]) => {
      model.script(replies);
      const ada = await signIn(cloud.url, 'ada');
      const { id } = await ada.start('weather', 'How is it in Rome?');
      const ended = await ada.finished(id);
      shown.push(JSON.stringify(ended));
      return ended;
    };
    try {
      const unset = await ask(weather('Rome'));
      const reason = expect.stringMatching(/^WEATHER_API_KEY is not set: .* output WeatherApiKeySecretArn names\.$/);
      expect(unset.run).toMatchObject({ status: 'failed', reason });
      // Nothing has happened, so a retry of the run makes the call again.
      expect(unset.calls).toMatchObject([{ status: 'queued', attempts: 1 }]);
      await deployTo(cloud, { environment: { ...environment, ...given, WEATHER_SITE: '' } });
      expect((await ask(weather('Rome'))).run).toMatchObject({
        reason: expect.stringContaining('WEATHER_SITE is not set'),
      });
      expect(service.requests).toEqual([]);

      await deployTo(cloud, { environment: { ...environment, ...given } });
      const done = await ask(weather('Rome'), { text: 'Mild.' });
      expect(wordsOf(done).at(-1)).toEqual(['weather', 'Mild.']);
      expect(done.calls).toMatchObject([{ result: { weather: '20 degrees in Rome, as asked' } }]);
      expect(service.requests).toEqual([done.calls[0]!.id]);

      const quoting = await ask(weather('Nowhere'), { text: 'No.' });
      expect(JSON.stringify(quoting.calls)).toContain('[WEATHER_API_KEY]');
      expect(JSON.stringify(model.requests)).not.toContain(given.WEATHER_API_KEY);
      expect(shown.join()).not.toContain(given.WEATHER_API_KEY);
      for (const file of filesIn(join(copy, 'state')))
        expect([file, readFileSync(file).includes(given.WEATHER_API_KEY)]).toEqual([file, false]);
    } finally {
      await endCloud(cloud, 'SIGTERM');
      await Promise.all([model.stop(), service.stop()]);
    }
  });
});

/** Logs, and the tables and executions of the local cloud. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile());
