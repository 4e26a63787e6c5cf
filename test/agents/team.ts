import { askUser } from '../../tools/ask-user';
import { currentTime } from '../../tools/current-time';
import { noteDown } from '../../tools/memory/note-down';
import { readNotes } from '../../tools/memory/read-notes';
import { amendMessage } from '../../tools/timers/amend-message';
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

/** Keep private notes, and amend what they have said. */
export const scribe = underTest({
  name: 'scribe',
  purpose: 'Writes things down.',
  instructions: 'You are the scribe.',
  tools: [noteDown, readNotes, amendMessage],
  handOffs: ['editor'],
});

export const editor = underTest({
  name: 'editor',
  purpose: 'Corrects what is written.',
  instructions: 'You are the editor.',
  tools: [noteDown, readNotes, amendMessage],
  handOffs: ['scribe'],
});

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
