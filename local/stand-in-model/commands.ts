import { asCode, formOf, formsOf, handOffTool, resultForm } from './forms';
import { allowsNull } from './schema-example';
import { misfit } from './told-limits';
import { call, type Json, type Output, type Saying, type Turn } from './turn';

const nextCommand = /^(?=\/(?:call|say|hand-off|result)\b)/im;
type Command = { verb: string; rest: string };
type Part = Saying & { fault?: string };

/** Splits a message that begins with "/": JSON and text may continue on the next lines. */
export const commandsIn = (said: string): Command[] =>
  said
    .trim()
    .split(nextCommand)
    .map((piece) => {
      const [, verb = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(piece.trim()) ?? [];
      return { verb: verb.toLowerCase(), rest };
    });

/**
 * Plays the next reply of a message that begins with "/": `/call tool {…}`, `/say text`, `/hand-off agent` and
 * `/result {…}`, each on a line of its own. If a command has a mistake, the reply is only the error.
 *
 * @returns undefined when all of them have been played.
 */
export function obey(turn: Turn): Saying | undefined {
  const [next, ...later] = repliesOf(commandsIn(turn.said)).slice(turn.replies.length);
  if (!next) return undefined;
  // What comes after a hand-off is for the next agent, whose tools are not known yet.
  const own = [next, ...later];
  const parts = own
    .slice(0, own.findIndex(handsOff) + 1 || own.length)
    .map((reply) => reply.map((one) => read(one, turn)));
  const faults = parts.flat().flatMap(({ fault }) => fault ?? []);
  if (later.length > 0 && next.some(({ verb }) => verb === 'result')) faults.push('Nothing can come after "/result".');
  if (faults.length > 0) return { text: faults.join('\n\n') };
  const [first = []] = parts;
  return {
    text: first.flatMap(({ text }) => text ?? []).join('\n'),
    calls: first.flatMap(({ calls }) => calls ?? []),
    ...first.find(({ result }) => result),
  };
}

const handsOff = (reply: Command[]): boolean => reply.some(({ verb }) => verb === 'hand-off');

/** Words after calls, and a result, are for when the results of the calls are there. A hand-off and a result end a reply. */
function repliesOf(commands: Command[]): Command[][] {
  const replies: Command[][] = [];
  for (const command of commands) {
    const verbs = replies.at(-1)?.map(({ verb }) => verb);
    const isLater = /^(?:say|result)$/.test(command.verb) && verbs?.includes('call');
    if (!verbs || isLater || verbs.includes('hand-off') || verbs.includes('result')) replies.push([command]);
    else replies.at(-1)?.push(command);
  }
  return replies;
}

function read({ verb, rest }: Command, turn: Turn): Part {
  const { tools, output } = turn;
  const [, name = '', more = ''] = /^([\w-]*)\s*(.*)$/s.exec(rest) ?? [];
  const fault = (what: string) => ({ fault: `${what}. Available:\n\n${formsOf(turn)}` });
  switch (verb) {
    case 'say':
      return rest ? { text: rest } : fault('There are no words after "/say"');
    case 'hand-off':
      if (!tools.has(handOffTool(name))) return fault(`There is no agent "${name}" to hand off to`);
      return { calls: [call(handOffTool(name), { reason: more || `The user asks for ${name}.` })] };
    case 'call':
      return tools.has(name) ? readCall(name, more, tools.get(name)) : fault(`There is no tool "${name}"`);
    case 'result':
      return output ? readResult(rest, output) : fault('This agent has no output, so it ends with words');
    default:
      return fault(`There is no command "/${verb}"`);
  }
}

function readCall(name: string, json: string, schema: Json): Part {
  const { value, fault } = readObject(json, schema);
  if (value) return { calls: [call(name, value)] };
  return {
    fault: `The arguments of ${name} must be a JSON object: ${fault}. Write:\n\n${asCode(formOf(name, schema))}`,
  };
}

function readResult(json: string, output: Output): Part {
  const { value, fault } = readObject(json, output.schema);
  const problem = value && misfit(output.schema, value);
  if (value && !problem) return { result: value };
  const why = value ? `does not fit the agent's output: ${problem}` : `must be a JSON object: ${fault}`;
  return { fault: `The result ${why}. Write:\n\n${asCode(resultForm(output))}` };
}

function readObject(json: string, { properties = {}, required = [] }: Json): { value?: object; fault?: string } {
  // A real model with a strict schema sends every field.
  const nulls = Object.keys(properties).filter((field) => allowsNull(properties[field]));
  try {
    if (!json && required.some((field: string) => !nulls.includes(field))) throw new Error('there are none');
    const given: unknown = JSON.parse(json || '{}');
    if (String(given) !== '[object Object]') throw new Error(`${json} is not one`);
    const missing = nulls.filter((field) => !Object.hasOwn(Object(given), field));
    return { value: { ...Object(given), ...Object.fromEntries(missing.map((field) => [field, null])) } };
  } catch (cause) {
    return { fault: (cause as Error).message };
  }
}
