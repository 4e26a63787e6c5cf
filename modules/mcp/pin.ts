import { unseen } from 'vigil-client/shared';
import { clip } from '../../core/base/text/clip';
import type { JsonSchema } from '../../core/conversations/approvals/input-schema';

/** The parts of a tool of an MCP server on which a model and Vigil rely, as people have reviewed them. */
export interface PinnedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations?: JsonSchema;
}

/** The reviewed tools of one server: the content of `<server>.mcp.json`. */
export interface Pin {
  tools: readonly PinnedTool[];
}

/** Returns the pinned fields of what a server lists, in a fixed order. */
export const pinnedFields = (tool: PinnedTool): PinnedTool => {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
  };
};

const mostLines = 10;
const mostCharacters = 200;

/** Returns what has changed, one line for each place, in the order of the places. Empty if nothing has. */
export function differences(before: PinnedTool, after: PinnedTool): string[] {
  const [old, now] = [places(pinnedFields(before)), places(pinnedFields(after))];
  const changed = [...new Set([...old.keys(), ...now.keys()])].sort().filter((at) => old.get(at) !== now.get(at));
  const lines = changed.slice(0, mostLines).map((at) => `${at}: ${shown(old.get(at))} -> ${shown(now.get(at))}`);
  return changed.length > mostLines ? [...lines, `and ${changed.length - mostLines} more`] : lines;
}

const shown = (value?: string): string =>
  value === undefined ? 'absent' : clip(value, { characters: mostCharacters });

/** Returns every value of a tool by its path: `inputSchema.properties.city.type`. */
function places(value: unknown, at = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null) return new Map([[at, visible(JSON.stringify(value))]]);
  const inside = Object.entries(value).flatMap(([name, one]) => [...places(one, at ? `${at}.${name}` : name)]);
  return new Map(inside.length > 0 ? inside : [[at, JSON.stringify(value)]]);
}

/** Characters that a reviewer would not see, or that change the order of the text around them. */
const hidden = new RegExp(unseen, 'gu');

/** Returns JSON with these characters escaped. It must have no line breaks other than its own. */
const visible = (json: string): string =>
  json.replace(hidden, (character) =>
    character === '\n'
      ? character
      : [...Array(character.length).keys()]
          .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
          .join(''),
  );

/** Returns the file's text: stable, so that a review shows what has changed. */
export const pinText = ({ tools }: Pin): string => {
  const sorted = tools.map(pinnedFields).sort((a, b) => (a.name < b.name ? -1 : 1));
  return `${visible(JSON.stringify({ tools: sorted }, null, 2))}\n`;
};
