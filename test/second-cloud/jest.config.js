const { projects } = require('../../jest.config');

const { displayName, testMatch, ...scenarios } = projects[0];

/** The stories in the second cloud. `run.sh` starts it, and says which ones. */
module.exports = {
  ...scenarios,
  rootDir: '../..',
  testEnvironment: 'node',
  // A busy machine takes many times as long.
  testTimeout: 600_000,
  verbose: true,
};
