import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shipped } from '../agents';
import { agentLoop } from './agent-loop';
import { rollback } from './rollback';
import type { State, StateMachineDefinition } from './states';
import { timer } from './timer';

type States = Record<string, State>;

/** The definition as a Mermaid state diagram. Retries are left out: they are a state's own affair. */
export function diagram({ StartAt, States }: StateMachineDefinition): string {
  return ['stateDiagram-v2', ...region(StartAt, States, '  ')].join('\n');
}

/** Every state, those inside a Map after it: its name, its type and its Comment, which says why it is there. */
export function table({ States }: StateMachineDefinition): string {
  const rows = (states: States): string[] =>
    Object.entries(states).flatMap(([name, state]) => [
      `| \`${name}\` | ${state.Type} | ${state.Comment} |`,
      ...(state.Type === 'Map' ? rows(state.ItemProcessor.States) : []),
    ]);
  return ['| state | type | why |', '|---|---|---|', ...rows(States)].join('\n');
}

/** The document with the picture and the table of this definition between its marks. */
export function illustrated(document: string, definition: StateMachineDefinition): string {
  const picture = ['```mermaid', diagram(definition), '```'].join('\n');
  return between(between(document, 'picture', picture), 'states', table(definition));
}

function region(start: string, states: States, indent: string): string[] {
  return [
    `${indent}[*] --> ${id(start)}`,
    ...Object.entries(states).flatMap(([name, state]) => [
      ...(id(name) === name ? [] : [`${indent}state "${name}" as ${id(name)}`]),
      ...(state.Type === 'Map' ? inner(name, state.ItemProcessor, indent) : []),
      ...arrows(state).map(([to, label]) => `${indent}${id(name)} --> ${to}${label && `: ${label}`}`),
    ]),
  ];
}

const inner = (name: string, { StartAt, States }: { StartAt: string; States: States }, indent: string): string[] => [
  `${indent}state ${id(name)} {`,
  ...region(StartAt, States, `${indent}  `),
  `${indent}}`,
];

/** Where a state may lead, with what is written on the arrow. Several ways to one state share an arrow. */
function arrows(state: State): [to: string, label: string][] {
  if (state.Type === 'Succeed' || state.Type === 'Fail') return [['[*]', '']];
  const ways: [string, string][] =
    state.Type === 'Choice'
      ? [...state.Choices.map((rule): [string, string] => [id(rule.Next), tested(rule)]), [id(state.Default), 'else']]
      : [[state.Next ? id(state.Next) : '[*]', '']];
  for (const { Next } of state.Type === 'Task' ? (state.Catch ?? []) : []) ways.push([id(Next), 'given up']);
  return [...new Set(ways.map(([to]) => to))].map((to) => {
    const labels = ways.filter(([other]) => other === to).map(([, label]) => label);
    return [to, labels.length > 1 ? labels.map((label) => label || 'served').join(' or ') : (labels[0] ?? '')];
  });
}

/** Mermaid ends a label at a colon. */
const tested = (rule: { StringEquals?: string; StringMatches?: string }): string =>
  (rule.StringEquals ?? rule.StringMatches ?? '').replace(':', ' ').replace('*', '(any other)');

/** Mermaid's ids are words. */
const id = (name: string): string => name.replace(/\W+/g, '_').replace(/_$/, '');

function between(document: string, mark: string, content: string): string {
  const [open, close] = [`<!-- ${mark} -->`, `<!-- end of ${mark} -->`];
  const [head, rest] = document.split(open);
  const tail = rest?.split(close)[1];
  if (head === undefined || tail === undefined) throw new Error(`The document lacks ${open} … ${close}.`);
  return `${head}${open}\n\n${content}\n\n${close}${tail}`;
}

const tools = [...shipped.tools.values()];
/** The pages with a picture, and the machine that each is about. */
export const pages: [file: string, definition: StateMachineDefinition][] = [
  ['agent-loop.md', agentLoop(tools)],
  ['timers.md', timer],
  ['rollback.md', rollback(tools)],
].map(([page, definition]) => [join(__dirname, '..', 'docs', page as string), definition as StateMachineDefinition]);

if (require.main === module) {
  for (const [file, definition] of pages) writeFileSync(file, illustrated(readFileSync(file, 'utf8'), definition));
}
