/**
 * What `npm test` leaves out, because it is expensive and rarely needed: `npm run test:all` runs it too. These are stories in which a
 * process dies, other servers and variants. Their rules have unit tests in `npm test`: with a table whose writes fail or lose
 * their answer, and by exploration (docs/crashes.md).
 */
const only = [
  // Processes that die, a table alone, an upgrade, an account without capacity.
  ...['crash-sweep', 'effects', 'restore', 'upgrades', 'stored-rows', 'throttled', 'least-privilege'],
  // Much of everything.
  ...[
    'long-runs',
    'long-conversations',
    'long-waits',
    'crowd',
    'consumption',
    'limits',
    'many-approvals',
    'several-approvers',
  ],
  ...['hostile-inputs', 'injections', 'provenance'],
  // Variants of what others tell.
  ...[
    'any-engine',
    'bedrock',
    'hosted',
    'files',
    'reply-files',
    'streams',
    'responses',
    'providers',
    'isolated-tools',
    'mcp',
  ],
  // What may happen in the middle of a run, and the rows that it leaves.
  ...[
    'policies',
    'waking',
    'model-failures',
    'outage',
    'background',
    'expired-parent',
    'hand-offs',
    'rows',
    'timers-run-later',
    ...['live', 'live-tokens', 'rollback', 'fork', 'clock', 'timeline', 'typed-answers'],
  ],
  // What an author of agents sees, an app of another folder, and ones that install the packages.
  ...[
    'live-changes',
    'authoring',
    'failures',
    'foreign-app',
    'invoices-app',
    'package',
    'engine-package',
    'without-a-key',
    ...['evals', 'evals-pull', 'evals-recorded', 'shipped-evals'],
    'telemetry',
  ],
].map((name) => `test/${name}.scenario`);
const onlyOfPage = [
  'evals-page',
  'examples',
  'foreign-page',
  ...['page-approvals', 'page-actions', 'page-answers', 'page-controls', 'page-identity', 'page-notifications'],
  'page-barriers',
  'page-comfort',
  'page-conversations',
  'page-ease',
  'page-people',
  'page-figures',
  'page-home',
  'page-languages',
  'page-files',
  'page-viewer',
  'page-keyboard',
  'page-layout',
  'page-levels',
  'page-hosted',
  'page-inbox',
  'page-network',
  'page-questions-of-servers',
  'page-replay',
  'page-settings',
  'page-stories',
  'page-timeline',
  'page-tokens',
  'signed-upload',
].map((name) => `test/${name}.browser`);
const onlyUnits = [
  'infra/bundling/kept-bundles',
  'lambdas/models/office/read-office',
  'scripts/supply/audit',
  'infra/props',
  'lambdas/models/document-bounds',
  'local/demo/command',
  'scripts/supply/bundled-licences',
  'test/docs-site',
  'test/page-types',
];

module.exports = { longTests: [...only, ...onlyOfPage, ...onlyUnits] };
