import { reminderStory, wish } from '../../support/stories/reminder-story';
import type { Story } from '../story';

/** Reads the clock, sleeps until tomorrow morning, reminds, and says so. */
export const reminder: Story = {
  name: 'reminder',
  script: reminderStory,
  async tell(world) {
    await world.start('reminder', wish);
    await world.until(({ status }) => status === 'sleeping');
    await world.advance('P2D');
    await world.finished();
  },
};
