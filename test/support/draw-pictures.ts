import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shipped } from '../../agents';
import { notice } from '../../modules/notices/machine';
import { agentLoop } from '../../statemachines/agent-loop';
import { rollback } from '../../statemachines/rollback';
import type { ChoiceRule, State, StateMachineDefinition } from '../../statemachines/states';
import { timer } from '../../statemachines/timer';
import { drawnTelemetry } from './draw-telemetry';

type States = Record<string, State>;

/**
 * Returns the definition as a Mermaid state diagram. Retries are left out. The states of the tools are drawn as one,
 * because all have the same transitions; the picture then does not depend on which tools there are.
 */
export function diagram({ StartAt, States }: StateMachineDefinition): string {
  return ['stateDiagram-v2', ...region(StartAt, States, '  ')].join('\n');
}

/**
 * Returns a table of every state with its name, type and Comment; the states of a Map follow it. A state inside a Map
 * with the same Comment as one outside is left out.
 */
export function table({ States }: StateMachineDefinition): string {
  const reasons = new Set(Object.values(folded(States)).map(({ Comment }) => Comment));
  const row = ([name, { Type, Comment }]: [string, State]) =>
    `| ${name.startsWith(forEach) ? name : `\`${name}\``} | ${Type} | ${Comment} |`;
  const rows = Object.entries(folded(States)).flatMap(([name, state]) => {
    const inside = state.Type === 'Map' ? Object.entries(folded(state.ItemProcessor.States)) : [];
    return [row([name, state]), ...inside.filter(([, { Comment }]) => !reasons.has(Comment)).map(row)];
  });
  return ['| state | type | why |', '|---|---|---|', ...rows].join('\n');
}

/** Returns the document with the picture and the table of this definition between their marks. */
export function illustrated(document: string, definition: StateMachineDefinition): string {
  const picture = ['```mermaid', diagram(definition), '```'].join('\n');
  return between(between(document, 'picture', picture), 'states', table(definition));
}

function region(start: string, all: States, indent: string): string[] {
  return [
    `${indent}[*] --> ${id(start)}`,
    ...Object.entries(folded(all)).flatMap(([name, state]) => [
      ...(id(name) === name ? [] : [`${indent}state "${name}" as ${id(name)}`]),
      ...(state.Type === 'Map' ? inner(name, state.ItemProcessor, indent) : []),
      ...arrows(state).map(([to, label]) => `${indent}${id(name)} --> ${to}${label && `: ${label}`}`),
    ]),
  ];
}

/** Merges the targets of rules such as `tool:a` and `tool:b` of one Choice into one state. */
function folded(states: States): States {
  const choices = Object.values(states).filter((state) => state.Type === 'Choice');
  const one = new Map(
    choices.flatMap(({ Choices }) =>
      Choices.flatMap(({ StringEquals, Next }): [string, string][] => {
        const [, word] = /^(\w+):./.exec(StringEquals ?? '') ?? [];
        const [inMap = ''] = / \(parallel\)$/.exec(Next) ?? [];
        return word ? [[Next, `${forEach} ${word === 'tool' ? word : `tool to ${word}`}${inMap}`]] : [];
      }),
    ),
  );
  const Choices = (rules: ChoiceRule[]) =>
    rules.map((rule) =>
      one.has(rule.Next)
        ? { ...rule, Next: one.get(rule.Next)!, StringEquals: rule.StringEquals!.replace(/:.*/, ' (its name)') }
        : rule,
    );
  return Object.fromEntries(
    Object.entries(states).map(([name, state]) => [
      one.get(name) ?? name,
      state.Type === 'Choice'
        ? { ...state, Choices: Choices(state.Choices) }
        : one.has(name)
          ? ofAnyTool(state)
          : state,
    ]),
  );
}

const forEach = 'one state for each';

/** The Comment of a tool's state, without the tool's name and effect. */
const ofAnyTool = (state: State): State => ({
  ...state,
  Comment: state.Comment?.replace(/the tool \w+ \(effect: \w+\)|(?<=a call of )\w+/, 'its tool'),
});

const inner = (name: string, { StartAt, States }: { StartAt: string; States: States }, indent: string): string[] => [
  `${indent}state ${id(name)} {`,
  ...region(StartAt, States, `${indent}  `),
  `${indent}}`,
];

/** Returns the states that can follow, each with its label. Several transitions to one state share an arrow. */
function arrows(state: State): [to: string, label: string][] {
  if (state.Type === 'Succeed' || state.Type === 'Fail') return [['[*]', '']];
  const ways: [string, string][] =
    state.Type === 'Choice'
      ? [...state.Choices.map((rule): [string, string] => [id(rule.Next), tested(rule)]), [id(state.Default), 'else']]
      : [[state.Next ? id(state.Next) : '[*]', '']];
  for (const { Next } of state.Type === 'Task' ? (state.Catch ?? []) : []) ways.push([id(Next), 'given up']);
  return [...new Set(ways.map(([to]) => to))].map((to) => {
    const labels = [...new Set(ways.filter(([other]) => other === to).map(([, label]) => label))];
    return [to, labels.length > 1 ? labels.map((label) => label || 'served').join(' or ') : (labels[0] ?? '')];
  });
}

/** A colon would end the label in Mermaid. */
const tested = (rule: { StringEquals?: string; StringMatches?: string }): string =>
  (rule.StringEquals ?? rule.StringMatches ?? '').replace(':', ' ').replace('*', '(any other)');

/** Ids in Mermaid are words. */
const id = (name: string): string => name.replace(/\W+/g, '_').replace(/_$/, '');

function between(document: string, mark: string, content: string): string {
  const [open, close] = [`<!-- ${mark} -->`, `<!-- end of ${mark} -->`];
  const [head, rest] = document.split(open);
  const tail = rest?.split(close)[1];
  if (head === undefined || tail === undefined) throw new Error(`The document lacks ${open} … ${close}.`);
  return `${head}${open}\n\n${content}\n\n${close}${tail}`;
}

const tools = [...shipped.tools.values()];
const page = (name: string) => join(__dirname, '../../docs', name);
/** The pages with a picture, each with its state machine. */
export const pages: [file: string, definition: StateMachineDefinition][] = [
  [page('agent-loop.md'), agentLoop(tools)],
  [page('timers.md'), timer],
  [page('rollback.md'), rollback(tools)],
  [page('notifications.md'), notice],
];

if (require.main === module) {
  for (const [file, definition] of pages) writeFileSync(file, illustrated(readFileSync(file, 'utf8'), definition));
  const telemetry = page('telemetry.md');
  writeFileSync(telemetry, drawnTelemetry(readFileSync(telemetry, 'utf8')));
}
