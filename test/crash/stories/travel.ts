import { webPage } from '../../support/servers/web';
import type { Story } from '../story';

const sights = 'https://kyoto.example/sights';

/** The travel agent asks where to go, searches and reads at the same time, and ends with the plan. */
export const travel: Story = {
  name: 'travel',
  pages: { [sights]: webPage('<html><body><p>Walk through the gates of Fushimi Inari early.</p></body></html>') },
  script({ messages }) {
    const results = messages.filter(({ role }) => role === 'tool').length;
    if (!JSON.stringify(messages).includes('Kyoto')) return { text: 'Where would you like to go? And when?' };
    if (results > 0) return { text: `Day 1: the gates of Fushimi Inari (${sights}).\n\nPLAN COMPLETE` };
    const toolCalls = [
      { id: 'call_search', name: 'internet_search', arguments: { query: 'Kyoto sights', results: null } },
      { id: 'call_read', name: 'scrape_website', arguments: { url: sights } },
    ];
    return { toolCalls };
  },
  async tell(world) {
    await world.start('travel', 'Plan a journey for me');
    await world.answer({ answer: 'Kyoto, in May' });
    await world.finished();
  },
};
