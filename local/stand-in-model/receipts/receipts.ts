import { courtesy, told } from '../forms';
import { inWords, isoSeconds, readTimes, wallTime } from '../reminders/times';
import { listed } from '../transcripts/script';
import {
  type Call,
  call,
  fileLine,
  type Json,
  type PastCall,
  read,
  type Saying,
  type Turn,
  withoutFiles,
} from '../turn';
import { samples, totalOf } from './samples';
import { type Told, toldIn } from './told-expense';

const needs = ['current_time', 'ask_user', 'note_expense', 'list_expenses', 'expense_report', 'schedule'];
const withdraws = /\b(?:cancel|never ?mind|no longer|forget)\b/i;
const asPdf = /\bpdfs?\b/i;
const reports = /\breports?\b/i;
const lists = /\b(?:spent|list|expenses|so far)\b/i;
const asksAtMost = 2;

/**
 * Plays the receipts agent: notes the sample receipts, which it knows by the ids of their bytes, asks about all other files, notes expenses
 * in words, and makes a report now or on a day.
 */
export function keepReceipts(turn: Turn): Saying | undefined {
  if (!needs.every((tool) => turn.tools.has(tool))) return undefined;
  const done = turn.replies.flat();
  const files = filesIn(turn.said);
  const last = done.at(-1);
  const wait = turn.recent.findLast(({ name }) => name === 'schedule');
  const waited = done.findLast(({ name }) => name === 'schedule');
  if (waited && !isInterrupted(waited)) return reporting(turn, done.slice(done.indexOf(waited)), dayOf(waited));
  const next = noting(files, done);
  if (next) return next;
  const words = outcomes(done);
  const saying = answering(turn, done, files.length === 0);
  if (saying?.calls) return saying;
  const text = [words, saying?.text].filter(Boolean).join(' ');
  if (wait && !withdraws.test(turn.said)) {
    const at = String(wait.arguments.at);
    const again = `I still make the report on ${inWords(wallTime(at), !at.endsWith('Z'))}.`;
    return { text: `${text || 'I have no answer to that.'} ${again}`, calls: [call('schedule', { at })] };
  }
  if (wait && !text) return { text: 'All right, I make no report then.' };
  return text ? { text } : last?.failed ? { text: told([last]) } : undefined;
}

// ASCII.
const dayOf = ({ arguments: { at } }: PastCall): string => String(at).slice(0, 10);
const isInterrupted = ({ result }: PastCall): boolean => result.startsWith('Interrupted');

/** Does what a message without files asks: notes an expense in words, lists, or reports. */
function answering(turn: Turn, done: PastCall[], isPlain: boolean): Saying | undefined {
  const { said } = turn;
  const clock = read(done.find(({ name }) => name === 'current_time')?.result ?? '');
  const isReport = reports.test(said) && !withdraws.test(said) && !/\?\s*$/.test(said);
  const expense = isPlain && !isReport ? toldIn(said, new Date(0)) : undefined;
  if ((isReport || expense) && !clock) return { calls: [call('current_time')] };
  if (isReport) {
    const isLocal = clock.local !== undefined;
    const now = wallTime(clock.local ?? clock.now);
    const time = readTimes(withoutFiles(said), now).times.find(({ at }) => at > now);
    if (!time) return reporting(turn, done, now.toISOString().slice(0, 10));
    const text = `I will make the report on ${inWords(time.at, isLocal)}.`;
    return { text, calls: [call('schedule', { at: isoSeconds(time.at, isLocal) })] };
  }
  if (expense) {
    if (done.some(({ name }) => name === 'note_expense')) return undefined;
    return { calls: [noteOf(toldIn(said, wallTime(clock.local ?? clock.now))!, null)] };
  }
  if (!isPlain) return undefined;
  const list = done.find(({ name }) => name === 'list_expenses');
  if (lists.test(said) && !list) return { calls: [call('list_expenses', { through: null })] };
  if (list) return { text: summary(read(list.result)) };
  const words = courtesy(said);
  return words === undefined ? undefined : { text: words };
}

function summary({ expenses, totals }: Json): string {
  const sum = (totals as { total: string }[]).map(({ total }) => total).join(' and ');
  return (
    listed('In no report yet:', expenses)?.concat(`\nIn all: ${sum}.`) ?? 'Nothing is noted that is not in a report.'
  );
}

/** Makes a report for each currency, after it has listed what is noted. */
function reporting({ talk }: Turn, done: PastCall[], through: string): Saying {
  const list = done.find(({ name }) => name === 'list_expenses');
  if (!list) return { calls: [call('list_expenses', { through })] };
  const made = done.filter(({ name }) => name === 'expense_report');
  const { totals = [] } = read(list.result) ?? {};
  if (totals.length === 0) return { text: list.failed ? told([list]) : `Nothing is left to report until ${through}.` };
  const wish = talk.findLast(({ by, text }) => by === 'user' && reports.test(text))?.text ?? '';
  const format = asPdf.test(wish) ? { format: 'pdf' } : {};
  if (made.length === 0)
    return {
      calls: (totals as { total: string; expenses: number }[]).map((one) =>
        call('expense_report', { through, ...one, ...format }),
      ),
    };
  const failed = made.filter((one) => one.failed);
  const texts = made.filter((one) => !one.failed).map(({ result }) => `Your report is made: ${read(result)?.text}`);
  return { text: [...texts, ...(failed.length > 0 ? [told(failed)] : [])].join('\n') };
}

interface SentFile {
  id: string;
  name: string;
}

const filesIn = (said: string): SentFile[] =>
  [...said.matchAll(fileLine)].map(([, id = '', name = '']) => ({ id, name: name.startsWith('"') ? name : id }));

/** Notes all receipts that it can read at once, then asks about the others, one after the other. */
function noting(files: SentFile[], done: PastCall[]): Saying | undefined {
  const isNoted = ({ id }: SentFile) => done.some((one) => one.name === 'note_expense' && one.arguments.file === id);
  const open = files.filter((file) => !isNoted(file));
  const readable = open.flatMap(({ id }) => samples.find((one) => one.id === id && !one.isBlurred) ?? []);
  if (readable.length > 0)
    return {
      calls: readable.map((sample) => noteOf({ ...sample, cents: totalOf(sample) }, sample.id)),
    };
  for (const file of open) {
    const asked = done.filter(
      ({ name, arguments: given }) => name === 'ask_user' && String(given.question).includes(file.name),
    );
    const answer = asked.at(-1);
    const told = answer && !answer.failed ? toldIn(String(read(answer.result)?.answer ?? answer.result)) : undefined;
    if (told) return { calls: [noteOf(told, file.id)] };
    if (asked.length < asksAtMost)
      return { calls: [call('ask_user', { question: questionOf(file, asked.length > 0) })] };
  }
  return undefined;
}

const questionOf = ({ name }: SentFile, isAgain: boolean): string =>
  `${isAgain ? 'I did not understand that. ' : ''}I cannot read the receipt ${name}. Who was paid, when, and how much? ` +
  'For example: Taxi Nord, 2026-03-06, 23.50 EUR';

const noteOf = ({ merchant, date, cents, currency, category }: Told, file: string | null): Call =>
  call('note_expense', { date, merchant, amount_cents: cents, currency, category, file });

/** Tells what was noted, and what was not. */
function outcomes(done: PastCall[]): string {
  const notes = done.filter(({ name }) => name === 'note_expense');
  const failed = notes.filter((one) => one.failed);
  const texts = notes.filter((one) => !one.failed).map(({ result }) => read(result)?.text);
  return [texts.length > 0 ? `Noted: ${texts.join('; ')}.` : '', failed.length > 0 ? told(failed) : '']
    .filter(Boolean)
    .join(' ');
}
