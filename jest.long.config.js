const config = require('./jest.config');
const { only, partly } = require('./test/long-tests');

// The tests of which `npm test` runs some cases run all of them.
process.env.VIGIL_LONG_TESTS = '1';

const projectOf = (file) => {
  if (file.endsWith('.browser')) return 'browser';
  return file.endsWith('.scenario') ? 'scenarios' : 'unit';
};

const files = [...only, ...partly()];

/** `npm run test:long`: what `npm test` leaves out. */
module.exports = {
  ...config,
  projects: config.projects
    .map(({ testPathIgnorePatterns, testMatch, ...project }) => ({
      ...project,
      testMatch: files
        .filter((file) => projectOf(file) === project.displayName)
        .map((file) => `<rootDir>/${file}.test.ts`),
    }))
    // To match nothing is to match everything.
    .filter(({ testMatch }) => testMatch.length > 0),
};
