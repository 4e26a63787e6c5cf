import { asCode, formOf, formsOf, handOffTool } from './forms';
import { allowsNull } from './schema-example';
import { call, type Json, type Saying, type Turn } from './turn';

const nextCommand = /^(?=\/(?:call|say|hand-off)\b)/im;
type Part = Saying & { fault?: string };

/**
 * Plays a message that begins with "/": `/call tool {…}`, `/say text` and `/hand-off agent`, each on a line of its own.
 * JSON and text may continue on the next lines. If a command has a mistake, the reply is only the error.
 */
export function obey({ said, tools }: Turn): Saying {
  const pieces = said.trim().split(nextCommand);
  const parts = pieces.map((piece) => read(piece.trim(), tools));
  const faults = parts.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) return { text: faults.join('\n\n') };
  return { text: parts.flatMap(({ text }) => text ?? []).join('\n'), calls: parts.flatMap(({ calls }) => calls ?? []) };
}

function read(piece: string, tools: Turn['tools']): Part {
  const [, verb = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(piece) ?? [];
  const [, name = '', more = ''] = /^([\w-]*)\s*(.*)$/s.exec(rest) ?? [];
  const fault = (what: string) => ({ fault: `${what}. Available:\n\n${formsOf(tools)}` });
  switch (verb.toLowerCase()) {
    case 'say':
      return rest ? { text: rest } : fault('There are no words after "/say"');
    case 'hand-off':
      if (!tools.has(handOffTool(name))) return fault(`There is no agent "${name}" to hand off to`);
      return { calls: [call(handOffTool(name), { reason: more || `The user asks for ${name}.` })] };
    case 'call':
      return tools.has(name) ? readCall(name, more, tools.get(name)) : fault(`There is no tool "${name}"`);
    default:
      return fault(`There is no command "/${verb}"`);
  }
}

function readCall(name: string, json: string, schema: Json): Part {
  const { properties = {}, required = [] } = schema;
  // A real model with a strict schema sends every field.
  const nulls = Object.keys(properties).filter((field) => allowsNull(properties[field]));
  try {
    if (!json && required.some((field: string) => !nulls.includes(field))) throw new Error('there are none');
    const given: unknown = JSON.parse(json || '{}');
    if (String(given) !== '[object Object]') throw new Error(`${json} is not one`);
    return { calls: [call(name, { ...Object.fromEntries(nulls.map((field) => [field, null])), ...Object(given) })] };
  } catch (cause) {
    const why = `The arguments of ${name} must be a JSON object: ${(cause as Error).message}`;
    return { fault: `${why}. Write:\n\n${asCode(formOf(name, schema))}` };
  }
}
