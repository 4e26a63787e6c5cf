import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawn, file, sectionsOf } from '../test/support/draw-settings';
import { settingsFrom } from './settings';
import { propOf, settingsTable, variablesOf } from './settings-table';

const root = join(__dirname, '..');
const variables = Object.values(settingsTable).flatMap((rows) => rows.map(({ variable }) => variable));

test('docs/settings.md has the tables of all settings', () => {
  const page = readFileSync(file, 'utf8');
  // If this fails, run `npx tsx test/support/draw-settings.ts`.
  expect(drawn(page)).toBe(page);
  expect(sectionsOf(page).sort()).toEqual(Object.keys(settingsTable).sort());
  expect(new Set(variables).size).toBe(variables.length);
});

test('each variable that Vigil reads is a setting, but for those that the stack sets itself', () => {
  const product = ['core', 'runtime', 'lambdas', 'tools', 'infra', 'modules', 'local'];
  const args = ['grep', '-ohE', "'(VIGIL|OPENAI|EMBEDDING|SERPER|BROWSERLESS)_[A-Z_]+'", '--', ...product];
  const read = execFileSync('git', [...args, ':!*.test.ts'], { cwd: root, encoding: 'utf8' }).split('\n');
  const names = [...new Set(read.map((name) => name.slice(1, -1)))].filter(
    (name) => name && !/_$|_SECRET_ARN$/.test(name),
  );
  expect(names.length).toBeGreaterThan(30);
  // The address of the search is for stand-ins.
  const others = ['SERPER_BASE_URL', 'VIGIL_PAGE_URL', 'VIGIL_TOKEN_USE'];
  expect(names.filter((name) => !variables.includes(name)).sort()).toEqual(others);
});

test('a prop becomes the variable of its row, in the form that functions read', () => {
  expect(propOf).toMatchObject({ VIGIL_MODEL: 'models.model', VIGIL_MAX_USER_DAY_STEPS: 'limits.dayOfUser.steps' });
  const set = variablesOf({
    limits: { dayOfUser: { steps: 7 }, timersOfUser: 8 },
    models: { titles: false, prices: { m: [1, 2] }, baseUrlOf: { groq: 'https://groq.example/v1' } },
    webOrigins: ['https://a.example', 'https://b.example'],
    machines: true,
  });
  expect(set).toEqual({
    VIGIL_MAX_USER_DAY_STEPS: '7',
    VIGIL_MAX_USER_TIMERS: '8',
    VIGIL_TITLES: 'off',
    VIGIL_PRICES: '{"m":[1,2]}',
    GROQ_BASE_URL: 'https://groq.example/v1',
    VIGIL_WEB_ORIGINS: 'https://a.example,https://b.example',
    VIGIL_MACHINES: 'on',
  });
  expect(() => variablesOf({ limits: { dayOfUser: { steps: 1.5 } } })).toThrow(
    'limits.dayOfUser.steps is 1.5: it must be a whole number of at least 1.',
  );
});

test.each([
  [
    'VIGIL_MAX_USER_DAY_COST',
    'VIGIL_MAX_USER_DAY_COST: there is no such setting: did you mean VIGIL_MAX_USER_DAY_MICRODOLLARS, VIGIL_MAX_USER_DAY_STEPS or VIGIL_MAX_USER_DAY_TOKENS?',
  ],
  ['VIGIL_PRICE', 'VIGIL_PRICE: there is no such setting: did you mean VIGIL_PRICES?'],
  ['VIGIL_MODELS', 'VIGIL_MODELS: there is no such setting: did you mean VIGIL_MODEL?'],
])('%s stops the deployment and says what was probably meant (R275)', (name, words) => {
  expect(() => settingsFrom({ [name]: '1' })).toThrow(words);
  expect(() => settingsFrom({ [name]: '' })).not.toThrow();
});

test('an app may have variables of its own that begin alike (R275)', () => {
  expect(() => settingsFrom({ VIGIL_CI_NODES: '24', VIGIL_SHOP_ADDRESS: 'a', VIGIL_URL: 'b' })).not.toThrow();
});
