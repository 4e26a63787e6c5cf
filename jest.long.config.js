const config = require('./jest.config');
const longStories = require('./test/long-stories');

/** `npm run test:long`: the stories that `npm test` leaves out. */
module.exports = {
  ...config,
  projects: config.projects
    .filter(({ displayName }) => displayName !== 'unit')
    .map(({ testPathIgnorePatterns, testMatch, ...project }) => ({
      ...project,
      testMatch: longStories
        .filter((story) => story.endsWith(project.displayName === 'browser' ? '.browser' : '.scenario'))
        .map((story) => `<rootDir>/test/${story}.test.ts`),
    }))
    // To match nothing is to match everything.
    .filter(({ testMatch }) => testMatch.length > 0),
};
