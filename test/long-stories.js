/**
 * Each takes half a minute and more: `npm run test:long` tells them. What they are about, `npm test` shows by shorter ones and by a
 * sample of the crash sweep.
 */
module.exports = [
  'bank-transfers.scenario',
  'callback-crashes.scenario',
  'deliveries.scenario',
  'events.scenario',
  'long-runs.scenario',
  'many-approvals.scenario',
  'page-controls.browser',
  'page-timeline.browser',
  'rollback.scenario',
  'timers-deferred.scenario',
  'timers-recurring.scenario',
  'timers-run-later.scenario',
];
