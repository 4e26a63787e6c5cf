import { hosted } from '../../core/base/models/hosted';
import { getBalance } from '../../tools/bank/get-balance';
import { transfer } from '../../tools/bank/transfer';
import { currentTime } from '../../tools/current-time';
import { remember } from '../../tools/memory/remember';
import { schedule } from '../../tools/timers/schedule';
import { scrapeWebsite } from '../../tools/web/scrape-website';
import { nearServer } from './providers';
import { underTest } from './under-test';

/** Its provider, OpenAI, searches the web for it. It has money, a memory and a way out, and does whatever it finds. */
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
