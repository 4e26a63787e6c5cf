const config = require('./jest.config');
const longStories = require('./test/long-stories');

// Stories of which `npm test` plays some cases play all of them.
process.env.VIGIL_LONG_TESTS = '1';
const whole = ['injections.scenario'];

/** `npm run test:long`: the stories that `npm test` leaves out. */
module.exports = {
  ...config,
  projects: config.projects
    .filter(({ displayName }) => displayName !== 'unit')
    .map(({ testPathIgnorePatterns, testMatch, ...project }) => ({
      ...project,
      testMatch: [...longStories, ...whole]
        .filter((story) => story.endsWith(project.displayName === 'browser' ? '.browser' : '.scenario'))
        .map((story) => `<rootDir>/test/${story}.test.ts`),
    }))
    // To match nothing is to match everything.
    .filter(({ testMatch }) => testMatch.length > 0),
};
