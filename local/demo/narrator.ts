import { styleText } from 'node:util';
import type { Conversation } from 'vigil-client';
import { clip } from '../../core/base/text/clip';
import type { DemoResult, Happening } from './run-demo';

type Colour = Parameters<typeof styleText>[0];

/** Tells the story in a terminal: one line per event, grouped by day. */
export function narrator(write: (line: string) => void, coloured: boolean) {
  const paint = (colour: Colour, text: string) =>
    coloured ? styleText(colour, text, { validateStream: false }) : text;
  let day = '';
  const line = (at: Date, kind: string, text: string, colour: Colour) => {
    const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(at).replace(',', '');
    if (today !== day) write(`\n${paint('bold', today)}`);
    day = today;
    const [first = '', ...more] = text.split('\n');
    write(`${paint('dim', at.toISOString().slice(11, 19))}  ${paint(colour, kind.padEnd(10))}${first}`);
    for (const rest of more) write(' '.repeat(20) + rest);
  };
  return {
    tell(happening: Happening): void {
      const { at } = happening;
      switch (happening.kind) {
        case 'message': {
          const { author, text } = happening;
          line(at, author, paint('bold', text), author === 'you' ? 'green' : 'cyan');
          break;
        }
        case 'state':
          line(at, 'state', paint('dim', happening.state), 'dim');
          break;
        case 'result':
          line(at, 'result', paint('dim', `${happening.tool} → ${shorten(happening.outcome)}`), 'dim');
          break;
        case 'asleep':
          line(at, 'asleep', `until ${minutes(happening.until)}; nothing runs, nothing is billed`, 'magenta');
          break;
        case 'again':
          line(at, 'failed', `${happening.error}; the clock is moved past the pause before the next attempt`, 'red');
          break;
        case 'moved':
          line(at, 'clock', `moved to ${minutes(happening.to)}`, 'yellow');
      }
    },
    end(result: DemoResult, run?: Pick<NonNullable<Conversation['run']>, 'reason' | 'usage'>): void {
      const { inputTokens = 0, outputTokens = 0 } = run?.usage ?? {};
      const reason = run?.reason ? `: ${run.reason}` : '';
      write(`\n${paint(result.status === 'done' ? 'green' : 'red', `${result.status}${reason}`)}`);
      const rows: [string, string][] = [
        ['executions', `${result.executions}`],
        [
          'transitions',
          `${result.transitions}  ($${((result.transitions / 1000) * pricePerThousand).toFixed(6)} at Standard's price)`,
        ],
        ['model calls', `${result.modelCalls}  (${inputTokens} tokens in, ${outputTokens} out)`],
        ['tool calls', `${result.toolCalls}`],
        ['messages', `${result.messages}`],
        ['took', `${result.ms} ms of this machine's time`],
      ];
      for (const [name, value] of rows) write(`  ${name.padEnd(13)}${value}`);
    },
  };
}

/** US dollars, in us-east-1, beyond the free 4,000 a month. */
const pricePerThousand = 0.025;

const minutes = (iso: string): string => {
  const at = new Date(iso);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(at).replace(',', '');
  return `${day}, ${at.toISOString().slice(11, 16)} UTC`;
};

const shorten = (text: string): string => clip(text, { characters: 158 }, '…');
