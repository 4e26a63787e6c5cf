import { element } from './elements.js';

const examples = [
  'Remind me tomorrow at 8am, bright and early, to check out https://resonatehq.io',
  'Remind me in 3 weeks to renew my passport',
  'What time is it?',
];

/** What an empty conversation shows: what this is, and something to try. @param {(text: string) => void} send */
export function welcome(send) {
  const buttons = examples.map((text) => {
    const button = element('button', { type: 'button' }, text);
    button.addEventListener('click', () => send(text));
    return element('li', {}, button);
  });
  return element(
    'section',
    { class: 'welcome' },
    element('h2', {}, 'An agent that waits'),
    element(
      'p',
      {},
      'Say what to remind you of, and when. While it waits nothing runs; the clock on the left lets the time pass.',
    ),
    element('ul', {}, ...buttons),
  );
}
