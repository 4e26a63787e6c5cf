import { hosted } from '../../core/base/models/hosted';
import { getBalance } from '../../tools/bank/get-balance';
import { transfer } from '../../tools/bank/transfer';
import { currentTime } from '../../tools/current-time';
import { remember } from '../../tools/memory/remember';
import { schedule } from '../../tools/timers/schedule';
import { scrapeWebsite } from '../../tools/web/scrape-website';
import { anthropic, nearServer } from './providers';
import { underTest } from './under-test';

// Agents whose provider searches the web for them.

/** At OpenAI. It has money, a memory and a way out, and does whatever it finds. */
export const online = underTest({
  name: 'online',
  purpose: 'Searches the web by its provider.',
  model: { provider: nearServer, name: 'gpt-6.1-terra' },
  tools: [
    hosted.webSearch(),
    hosted.codeInterpreter(),
    hosted.imageGeneration(),
    currentTime,
    schedule,
    getBalance,
    transfer,
    remember,
    scrapeWebsite,
  ],
  limits: { steps: 100 },
  handOffs: ['elsewhere', 'nearby'],
  delegates: ['accomplice'],
});

export const onlineAtAnthropic = underTest({
  name: 'online-at-anthropic',
  purpose: 'Searches the web by Anthropic.',
  model: { provider: anthropic, name: 'claude-sonnet-5-5' },
  tools: [hosted.webSearch({ maxUses: 3 }), currentTime, schedule],
  handOffs: ['at-anthropic'],
});
