const { projects } = require('../../jest.config');

const { displayName, testMatch, ...scenarios } = projects[0];

/** The stories in the second cloud, which `run.sh` starts. */
module.exports = {
  ...scenarios,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/second-cloud/stories.ts'],
  testEnvironment: 'node',
  // A busy machine takes many times as long.
  testTimeout: 600_000,
  verbose: true,
};
