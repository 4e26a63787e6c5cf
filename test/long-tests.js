/**
 * What `npm test` leaves out, because it takes long and is rarely needed: `npm run test:long` runs it. Of the tests in `partly`,
 * `npm test` runs some cases.
 */
module.exports = {
  only: [
    ...['test/long-runs.scenario', 'test/hostile-inputs.scenario', 'test/long-conversations.scenario'],
    ...['test/crash-sweep.scenario', 'test/any-engine.scenario', 'test/bedrock.scenario', 'test/foreign-page.browser'],
    ...['local/demo/command', 'supply/bundled-licences', 'test/page-types'],
  ],
  partly: ['test/injections.scenario', 'test/throttled.scenario', 'tools/bank/ledger/transfers'],
};
