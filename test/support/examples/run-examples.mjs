/**
 * Runs examples, which are modules with checks, one after the other. For each it appends a line to the file of results: what is wrong,
 * as JSON.
 *
 *     node run-examples.mjs <results.jsonl> <module>…
 */
import { appendFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { inspect, isDeepStrictEqual } from 'node:util';
import { startSurroundings } from './surroundings.ts';

const [, , results, ...modules] = process.argv;
let problems = [];

const json = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

globalThis.__equals = async (line, value, expected) => {
  const [is, wanted] = [await value(), expected()];
  if (isDeepStrictEqual(is, wanted) || isDeepStrictEqual(json(is), wanted)) return;
  problems.push({ line, problem: `the value is ${inspect(is, { depth: 9 })}` });
};

globalThis.__throws = async (line, value, part) => {
  try {
    await value();
  } catch (error) {
    if (!error.message.includes(part)) problems.push({ line, problem: `the error is "${error.message}"` });
    return;
  }
  problems.push({ line, problem: 'nothing was thrown' });
};

await startSurroundings();
for (const module of modules) {
  problems = [];
  await import(pathToFileURL(module)).catch((error) => problems.push({ problem: error?.stack ?? String(error) }));
  appendFileSync(results, `${JSON.stringify(problems)}\n`);
}
process.exit();
