import { type Found, stopCauses, verdictOn } from './needed';

const found = (status: Found['status'], cause?: string): Found => ({ status, cause });

test.each<[string, Found[], string]>([
  ['runs', [found('RUNNING')], 'leave'],
  ['runs under one of its names', [found('MISSING'), found('RUNNING')], 'leave'],
  ['does not exist', [found('MISSING')], 'renew'],
  ['ended well, although the row is not over', [found('SUCCEEDED')], 'renew'],
  ['was stopped by Vigil, which the row does not know', [found('ABORTED', stopCauses.woken)], 'renew'],
  ['was stopped by a person', [found('ABORTED')], 'settle'],
  ['was stopped by a person with a reason', [found('ABORTED', 'Too expensive.')], 'settle'],
  ['failed', [found('FAILED')], 'settle'],
  ['timed out', [found('TIMED_OUT')], 'settle'],
])('a row whose execution %s (R169)', (_what, executions, verdict) => {
  expect(verdictOn(executions).verdict).toBe(verdict);
});
