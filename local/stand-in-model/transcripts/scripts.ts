import { personTool } from '../forms';
import { call } from '../turn';
import { found, listed, type Script, script } from './script';
import { plan } from './travel';

const reminders = /\b(?:remind(?:ers?)?|wake me)\b|\bevery (?:day|week|month|hour|\w+day)\b/i;
const payment =
  /\b(?:[Ss]end|[Pp]ay|[Tt]ransfer) \$?([\d,.]*\d)(?: dollars)? to (\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*|[\d ]*\d)(?: for ([^.!?]+))?/u;
const person = /\b(?:person|human|advis[eo]rs?|complain|close my account)\b/i;
const account = /\b(?:(balance)|transactions?|came in)\b(.*\b(?:transactions?|came in)\b)?/i;
const both = [call('get_balance'), call('get_transactions', { limit: null })];
const aboutMe = /\bwhat do you (?:know|remember) (?:about|of) me\b/i;
const sum =
  /([\d.]+) ?(?:%|percent) of ([\d.]+)|(?<![\d-])(?!\d{4}-\d\d-\d\d)([\d(][\d\s.()]*[+*/-][\d\s.()+*/-]*[\d)])/i;
const chart = /\b(?:chart|plot|graph)\b[^\d]{0,80}(\d[\d\s.,]*(?:(?:and|&)\s+\d[\d.]*)?)/i;
/** The program of a bar chart. */
const chartOf = (numbers: number[]): string => `const numbers = ${JSON.stringify(numbers)};
const highest = Math.max(...numbers, 1);
const bars = numbers.map((number, at) => {
  const height = (number / highest) * 240;
  return \`<rect x="\${at * 80 + 40}" y="\${280 - height}" width="50" height="\${height}" fill="#4f46e5"/>\` +
    \`<text x="\${at * 80 + 65}" y="310" text-anchor="middle" font-size="18">\${number}</text>\`;
});
const width = numbers.length * 80 + 50;
savePicture('chart.png', \`<svg xmlns="http://www.w3.org/2000/svg" width="\${width}" height="330">\${bars.join('')}</svg>\`);
numbers.length`;
const question =
  /\b(?:(?:search|look)\b.* (?:for|up)|find out|tell me about|(?:who|what) (?:is|was|are|were)|where is) (.{3,300})/i;
const researches = 'internet_search scrape_website';
const travels = 'You plan trips.';

/** The scripts of the agents' examples. The first match is played. */
export const scripts: Script[] = [
  // The reminder agent has its own rules. This script only leads to it.
  script('reminder', 'schedule', reminders, () => []),
  script('bank', personTool, person, ({ input }) => [
    {
      text: 'An adviser will come.',
      calls: [call(personTool, { group: 'advisers', reason: `The customer says: ${input}` })],
    },
  ]),
  script('loan-advisor', 'get_loans', /\bloans?\b/i, () => [
    [call('get_loans')],
    ({ get_loans }) => listed('Your loans:', get_loans.loans) ?? 'You have none.',
  ]),
  script('account-manager', 'transfer', payment, ([, amount = '', to, purpose = '']) => [
    [call('transfer', { to, amount_cents: Math.round(Number(amount.replaceAll(',', '')) * 100), purpose })],
    ({ transfer }) => transfer.text,
  ]),
  script('account-manager', 'get_balance', account, ([, balance, more]) => [
    both.slice(balance ? 0 : 1, balance && !more ? 1 : 2),
    ({ get_balance, get_transactions }) =>
      [get_balance?.text, listed('Your last transactions:', get_transactions?.transactions)].filter(Boolean).join('\n'),
  ]),
  script('chat', 'remember', /^(?:please )?remember (?:that )?(.{3,400})$/i, ([, fact]) => [
    [call('remember', { fact: `The user says: ${fact}` })],
    'I will remember that.',
  ]),
  script('chat', 'recall', aboutMe, ({ input }) => [
    [call('recall', { query: input, limit: null })],
    ({ recall }) => listed('You have told me:', recall.memories) ?? 'You have told me nothing about that yet.',
  ]),
  script('calculator', 'run_code', chart, ([, numbers = '']) => [
    [call('run_code', { code: chartOf(numbers.match(/\d+(?:\.\d+)?/g)!.map(Number)) })],
    ({ run_code }) => `Here is the chart: ${run_code.files[0].filename}.`,
  ]),
  script('calculator', 'run_code', sum, ([, part, whole, code]) => [
    [call('run_code', { code: code ?? `${part} / 100 * ${whole}` })],
    ({ run_code }) => `It is ${Number(Number(run_code.value).toFixed(6))}.`,
  ]),
  script(
    'researcher',
    researches,
    question,
    ([, query]) => [
      [call('internet_search', { query, results: null })],
      (results) => found(results).map(({ link }) => [call('scrape_website', { url: link })])[0] ?? 'I found nothing.',
      (results) => found(results).map(({ title, link, snippet }) => `${snippet} (${title}: ${link})`)[0],
    ],
    'You find things out.',
  ),
  script('travel', researches, /\b(?:trip|travel|holiday|vacation)\b/i, plan, travels),
  // Any other message to the travel agent.
  script('', researches, /./, plan, travels),
];
