import { defineGuard } from '../../core/conversations/guards/guard';
import { redact } from '../../runtime/guards/redact';
import { currentTime } from '../../tools/current-time';
import { hit } from './tools/hit';
import { underTest } from './under-test';

const personal = redact({ patterns: { email: true }, at: ['input', 'result'] });

const discreet = defineGuard({
  name: 'discreet',
  at: ['output'],
  timeoutSeconds: 5,
  needs: { variables: ['HOUSE_SECRET'], optional: ['HOUSE_SECRET'] },
  check: (words, { variables: { HOUSE_SECRET: secret = 'SECRET' } }) =>
    words.includes(secret) ? { refuse: 'This stays in the house.' } : 'pass',
});

const watchful = defineGuard({
  name: 'watchful',
  at: ['call'],
  check: (_, { tool }) => (tool === 'hit' ? { ask: 'Hitting may hurt.' } : 'pass'),
});

/** Has its words, calls and results checked. */
export const careful = underTest({
  name: 'careful',
  purpose: 'Is guarded.',
  tools: [currentTime, hit],
  limits: { steps: 20 },
  guards: [personal, discreet, watchful],
});
