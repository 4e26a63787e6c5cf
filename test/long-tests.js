/** They take minutes: `npm run test:long` tells them. What they are about, `npm test` shows in small. */
module.exports = ['long-runs.scenario', 'hostile-inputs.scenario'];
