const { projects } = require('../../jest.config');

/** The unit tests with a planted defect: see `defects.ts`. Nothing of it may stay in a cache. */
const [unit] = projects;
module.exports = {
  ...unit,
  rootDir: '../..',
  cache: false,
  testTimeout: 60_000,
  reporters: [['default', { summaryThreshold: 1_000 }]],
  transform: { '^.+\\.ts$': '<rootDir>/test/explore/planted-transform.js' },
};
