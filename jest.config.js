const { availableParallelism } = require('node:os');

// The SDK announces the end of Node 20; Lambda runs 24, and a laptop may run 20 until then.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

/**
 * `unit`: tests beside their code. `scenarios`: stories through the public API, on a whole local cloud. `browser`: the page,
 * in Chromium.
 */
const shared = {
  transform: { '^.+\\.ts$': '@swc/jest' },
  testEnvironment: 'node',
  modulePathIgnorePatterns: ['<rootDir>/.vigil', '<rootDir>/cdk.out'],
};

module.exports = {
  testTimeout: 30_000,
  // Jest leaves a processor free; a scenario waits more than it works.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{core,agents,lambdas,statemachines,infra,local,bench,test,web/src}/**/!(*.scenario|*.browser).test.ts',
      ],
    },
    {
      ...shared,
      displayName: 'scenarios',
      testMatch: ['<rootDir>/test/**/*.scenario.test.ts'],
      globalSetup: '<rootDir>/test/support/synthesize-once.ts',
    },
    {
      ...shared,
      displayName: 'browser',
      testMatch: ['<rootDir>/test/**/*.browser.test.ts'],
      globalSetup: '<rootDir>/test/support/build-page.ts',
    },
  ],
};
