import { createHash } from 'node:crypto';
import {
  type Comparison,
  type Difference,
  type Figures,
  partingStep,
  type Row,
  shownTrials,
  verdictOf,
  whysOf,
} from './compare';
import { type Preference, preferenceName } from './judge';
import { dollars, type Played } from './report';
import type { Entry } from './transcript';

// One file that needs no network and runs no script: its policy forbids both, also to what a model has said.

/** Text that is already HTML. */
class Html {
  constructor(readonly text: string) {}
}
type Content = Html | string | number | undefined | false | readonly Content[];

const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Control characters, and those that turn the direction of text around, are shown by their numbers. */
const hidden = /(?![\t\n])[\p{Cc}\p{Surrogate}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const escaped = (text: string): string =>
  text
    .replace(hidden, (mark) => `\\u{${mark.codePointAt(0)!.toString(16)}}`)
    .replace(/[&<>"']/g, (mark) => marks[mark]!);

function rendered(content: Content): string {
  if (content instanceof Html) return content.text;
  if (Array.isArray(content)) return content.map(rendered).join('');
  return content === undefined || content === false ? '' : escaped(String(content));
}

/** Builds HTML. Whatever is inserted is text, unless this function has made it. */
const html = (words: TemplateStringsArray, ...inserted: Content[]): Html =>
  new Html(words.map((one, index) => one + (index < inserted.length ? rendered(inserted[index]) : '')).join(''));

/**
 * Draws a comparison as a page: regressions first, and for each case what happened, side by side. A link of a cell leads to
 * the step where its variant parts from the first one.
 *
 * @param preferences what a judge prefers, by case.
 */
export function pageOf(comparison: Comparison, preferences: ReadonlyMap<object, Preference> = new Map()): string {
  const { names, evals, cases } = comparison;
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`;
  const columns = names.map((name) => html`<th scope="col">${name}</th>`);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Evals: ${names.join(', ')}</title>
<style>${new Html(style)}</style>
</head>
<body>
<header>
<h1>Evals</h1>
<p>${summaryOf(comparison)}</p>
</header>
<main>
<h2 id="evals">Evals</h2>
<div class="wide" role="region" aria-labelledby="evals" tabindex="0">
<table>
<thead><tr><th scope="col">Eval</th>${columns}</tr></thead>
<tbody>
${evals.map(
  (row) =>
    html`<tr><th scope="row">${row.eval}</th>${row.figures.map(
      (one, index) =>
        html`<td>${one ? [shareIn(one), ' ', scoreIn(one), passIn(one)] : 'not played'} ${verdictIn(row.differences[index])}</td>`,
    )}</tr>\n`,
)}</tbody>
</table>
</div>
<h2 id="cases">Cases</h2>
<div class="wide" role="region" aria-labelledby="cases" tabindex="0">
<table>
<thead><tr><th scope="col">Case</th>${columns}</tr></thead>
<tbody>
${cases.map((row, place) => rowOf(row, place, { names, preference: preferences.get(row) }))}</tbody>
</table>
</div>
<h2>What happened</h2>
${cases.map((row, place) => replayOf(row, place, names))}</main>
</body>
</html>
`;
  return page.text;
}

function summaryOf({ names, evals, cases }: Comparison): string {
  const [first, ...others] = names;
  const count = (rows: Row[], verdict: Difference['verdict']) =>
    rows.filter(({ differences }) => differences.some((one) => one?.verdict === verdict)).length;
  const what = `${evals.length} ${evals.length === 1 ? 'eval' : 'evals'}, ${cases.length} ${cases.length === 1 ? 'case' : 'cases'}.`;
  if (others.length === 0) return `${first}: ${what}`;
  const worse = count(evals, 'worse');
  const whole = worse > 0 ? ` ${worse} of the evals ${worse === 1 ? 'is' : 'are'} worse.` : '';
  return `${others.join(', ')}, compared with ${first}: ${what}${whole} Cases: ${count(cases, 'worse')} worse, ${count(cases, 'better')} better, ${count(cases, 'noise')} within the noise.`;
}

const shareIn = ({ hold, trials }: Figures): string => `${hold} of ${trials} hold`;

const scoreIn = ({ mean, spread, costMicrodollars }: Figures): Html =>
  html`<small>score ${mean.toFixed(2)}${spread !== undefined && ` ± ${spread.toFixed(2)}`}, ${dollars(costMicrodollars)}</small>`;

/** The chance that all of k trials hold, for the largest k. */
const passIn = (figures: Figures | undefined): Content =>
  figures &&
  figures.passAll.length > 1 &&
  html` <small>pass^${figures.passAll.length} ${figures.passAll.at(-1)!.toFixed(2)}</small>`;

const verdictIn = (difference: Difference | undefined): Content =>
  difference && html`<b class="${difference.verdict}">${verdictOf(difference)}</b>`;

type CaseRow = Comparison['cases'][number];

const transcriptIn = (trial: Played | undefined): Entry[] => trial?.transcript ?? [];

function partingsOf(row: CaseRow): (number | undefined)[] {
  const [first, ...others] = shownTrials(row);
  const partings = others.map((one) => one && partingStep(transcriptIn(first), transcriptIn(one)));
  const all = partings.filter((one) => one !== undefined);
  return [all.length > 0 ? Math.min(...all) : undefined, ...partings];
}

function rowOf(row: CaseRow, place: number, { names, preference }: { names: string[]; preference?: Preference }): Html {
  const partings = partingsOf(row);
  const cells = row.figures.map((figures, index) => {
    const step = partings[index];
    const to = step === undefined ? `c${place}` : `c${place}-${step}`;
    return html`<td>${figures ? html`<a href="#${to}">${shareIn(figures)}</a> ${scoreIn(figures)}` : 'not played'} ${verdictIn(row.differences[index])}</td>`;
  });
  return html`<tr id="r${place}"><th scope="row">${row.case} <small>${row.eval}</small>${
    preference && html`<small>Judge prefers: ${preferenceName(preference, names)}. ${preference.why}</small>`
  }</th>${cells}</tr>\n`;
}

function replayOf(row: CaseRow, place: number, names: string[]): Html {
  const shown = shownTrials(row);
  const transcripts = shown.map(transcriptIn);
  const [parting] = partingsOf(row);
  const steps = Array.from({ length: Math.max(...transcripts.map(({ length }) => length)) }, (_, step) => step);
  const verdicts = names.map((name, index) => {
    const trials = row.trials[index]!;
    const list = trials.map(
      (one) =>
        html`<li>Trial ${one.trial}: ${one.holds ? 'holds' : 'does not hold'}${whysOf(one).map((why) => html`<br>${why}`)}</li>`,
    );
    return html`<div class="cell"><h3>${name}</h3><ul>${list}</ul>${
      shown[index] && html`<p><small>Shown: trial ${shown[index].trial}.</small></p>`
    }</div>`;
  });
  return html`<details id="c${place}">
<summary>${row.case} <small>${row.eval}</small></summary>
<p><a href="#r${place}">Back to the table</a></p>
<div class="side">${verdicts}</div>
<ol>
${steps.map(
  (step) =>
    html`<li id="c${place}-${step}">${step === parting && html`<p class="parts">Here they part.</p>`}<div class="side">${transcripts.map(
      (one, index) => html`<div class="cell">${entryOf(one[step], names.length > 1 ? names[index]! : '')}</div>`,
    )}</div></li>\n`,
)}</ol>
</details>
`;
}

function entryOf(entry: Entry | undefined, name: string): Html {
  const whose = html`<span class="whose">${name} </span>`;
  if (!entry) return html`${whose}<span class="none">Nothing more.</span>`;
  if (entry.kind === 'said') return html`${whose}<b>${entry.by}</b><pre>${entry.text}</pre>`;
  const { tool, outcome, asked, answer } = entry;
  return html`${whose}<b>${tool}</b> <small>${outcome}${asked && ', approval asked'}</small><pre>${shown(entry.arguments)}</pre>${
    answer !== undefined && html`<pre class="answer">${shown(answer)}</pre>`
  }`;
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : String(JSON.stringify(value, null, 2)));

const style = `
:root { color-scheme: light dark; --ink: light-dark(#1c1c1e, #ececee); --soft: light-dark(#5a5a62, #a9a9b3); --line: light-dark(#d9d9de, #3a3a42);
  --paper: light-dark(#fff, #17171a); --card: light-dark(#f5f5f7, #222226); --link: light-dark(#0b57d0, #8ab4f8);
  --bad: light-dark(#b3261e, #f2a49e); --good: light-dark(#146c2e, #7fd69a); --part: light-dark(#fff4d6, #43381a); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 90rem; background: var(--paper); color: var(--ink); font: 1rem/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.2; margin: 1.2em 0 .4em; }
h3 { font-size: 1rem; margin-top: 0; }
small { color: var(--soft); font-size: .85em; display: block; }
a { color: var(--link); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; vertical-align: top; padding: .5rem .6rem; border-bottom: 1px solid var(--line); min-width: 6.5rem; }
td b { display: block; }
tbody th { font-weight: 500; }
th, td, pre, b, li, h3, summary { unicode-bidi: isolate; }
.worse { color: var(--bad); }
.better { color: var(--good); }
.noise, .same, .none { color: var(--soft); font-weight: 400; }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; padding: 0 .8rem; }
summary { padding: .7rem 0; cursor: pointer; font-weight: 600; }
summary small { display: inline; font-weight: 400; }
ol { list-style: none; margin: 0; padding: 0; }
li ul, .cell ul { margin: 0; padding-inline-start: 1.1rem; }
ol > li { scroll-margin-top: 30vh; }
.side { display: grid; gap: .6rem; margin: .6rem 0; }
.cell { background: var(--card); border-radius: .4rem; padding: .6rem .7rem; min-width: 0; }
pre { margin: .2rem 0 0; font: inherit; white-space: pre-wrap; }
b + small + pre, .answer { font: .85rem/1.4 ui-monospace, monospace; }
.answer { border-top: 1px solid var(--line); padding-top: .3rem; }
.parts { margin: .8rem 0 0; font-weight: 600; }
.parts + .side .cell { background: var(--part); }
li:target .cell { outline: 2px solid var(--link); }
.whose { color: var(--soft); font-size: .85em; display: block; }
@media (min-width: 45rem) { table { table-layout: fixed; } thead th:first-child { width: 30%; } .side { grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); } .whose { display: none; } }
`;
