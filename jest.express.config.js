// Before the tests are found: what they run on is synthesized by it.
process.env.VIGIL_LOOP = 'express';
process.env.VIGIL_LONG_TESTS = '1';
const config = require('./jest.config');

/** `npx jest -c jest.express.config.js`: all stories, those of the page and of `npm run test:long` too, in bursts of Express executions (docs/agent-loop.md). */
module.exports = {
  ...config,
  projects: config.projects
    .filter(({ displayName }) => displayName !== 'unit')
    .map((project) => ({ ...project, testPathIgnorePatterns: ['/node_modules/'] })),
};
