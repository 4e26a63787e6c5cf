const { availableParallelism } = require('node:os');
const { longTests } = require('./test/long-tests');
const { findChromium, findHeadlessShell } = require('./test/support/page/find-chromium');

// The SDK announces the end of Node 20; Lambda runs 24, and a laptop may run 20 until then.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

/**
 * `unit`: tests beside their code. `scenarios`: stories through the public API, on a whole local cloud. `browser`: the page,
 * in Chromium.
 */
// `client-zip`, `file-type`, `intl-messageformat` and what they need are ECMAScript modules only, which Jest does not load.
const modules =
  'client-zip|intl-messageformat|@formatjs/[\\w-]+|file-type|strtok3|token-types|uint8array-extras|@tokenizer/inflate|@borewit/text-codec';
const shared = {
  transform: { '^.+\\.ts$': '@swc/jest', [`/node_modules/(?:${modules})/.+\\.js$`]: '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(?:${modules})/)`],
  testEnvironment: '<rootDir>/test/costs/measured-environment.js',
  modulePathIgnorePatterns: ['/.vigil', '/cdk.out', '/dist', '/packages/.*/dist'].map((path) => `<rootDir>${path}`),
  testPathIgnorePatterns: [
    '/node_modules/',
    '/\\.vigil/',
    '/dist/',
    // Another runner's.
    '<rootDir>/package/new-app/',
    '<rootDir>/examples/',
    ...(process.env.VIGIL_LONG_TESTS === '1' ? [] : longTests.map((file) => `<rootDir>/${file}.test.ts`)),
  ],
};

const browser = {
  ...shared,
  displayName: 'browser',
  testMatch: ['<rootDir>/test/**/*.browser.test.ts'],
  globalSetup: '<rootDir>/test/support/page/build-page.ts',
  globalTeardown: '<rootDir>/test/costs/end-clouds.js',
};

// The tests read it.
process.env.HEADLESS_SHELL_PATH = findHeadlessShell();
process.env.CHROMIUM_PATH = findChromium();
// Where it matters that everything has run, they fail without one.
const isBrowserThere = process.env.CHROMIUM_PATH !== '' || process.env.CI === 'true';
if (!isBrowserThere)
  console.warn(
    'The tests of the page are NOT run: no Chromium is here. Install one, or set CHROMIUM_PATH to where it is.',
  );

module.exports = {
  reporters: ['<rootDir>/test/costs/cost-reporter.js', 'default'],
  // A test waits for what is to happen and gives up late: on a busy machine a story takes many times as long.
  testTimeout: 300_000,
  // Tests wait more than they work, so one worker more than processors keeps those busy.
  maxWorkers: availableParallelism() + 1,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/!(node_modules|dist)/**/!(*.scenario|*.browser).test.ts'],
    },
    {
      ...shared,
      displayName: 'scenarios',
      testMatch: ['<rootDir>/test/**/*.scenario.test.ts'],
      globalSetup: '<rootDir>/test/support/clouds/synthesize-once.ts',
      globalTeardown: '<rootDir>/test/costs/end-clouds.js',
    },
    ...(isBrowserThere ? [browser] : []),
  ],
};
