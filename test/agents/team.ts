import { askUser } from '../../tools/ask-user';
import { currentTime } from '../../tools/current-time';
import { schedule } from '../../tools/timers/schedule';
import { misbehave } from './tools/misbehave';
import { pay } from './tools/pay';
import { underTest } from './under-test';

// Agents that hand over to one another, or delegate tasks.
export const front = underTest({
  name: 'front',
  purpose: 'Takes everything in.',
  instructions: 'You are the front.',
  tools: [],
  handOffs: ['back', 'side'],
  limits: { steps: 8 },
});

export const back = underTest({
  name: 'back',
  purpose: 'Does the work.',
  instructions: 'You are the back.',
  tools: [currentTime, pay, misbehave, schedule],
  handOffs: ['front'],
  limits: { steps: 8 },
});

export const side = underTest({ name: 'side', purpose: 'Stands beside.', handOffs: ['front'], limits: { steps: 8 } });

export const boss = underTest({
  name: 'boss',
  purpose: 'Lets others work.',
  tools: [schedule, pay],
  delegates: ['worker'],
  limits: { steps: 50 },
});

export const worker = underTest({
  name: 'worker',
  purpose: 'Does one task.',
  instructions: 'You are the worker.',
  tools: [currentTime, pay, schedule, askUser],
  delegates: ['boss'],
  limits: { steps: 50 },
});

export const clerk = underTest({
  name: 'clerk',
  purpose: 'Knows when a person is better.',
  tools: [pay, askUser, schedule],
  people: [
    {
      group: 'helpers',
      purpose: 'Who wants a person.',
      escalation: { afterSeconds: 3_600, to: { group: 'leads' } },
      reminders: { everySeconds: 1_800, atMost: 1 },
      expiresInSeconds: 3 * 86_400,
      fallback: 'Nobody had time.',
      mayStepIn: true,
    },
  ],
  limits: { steps: 8 },
});
