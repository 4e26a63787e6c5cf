import { memberKey, type Shape } from './result-shape';

/**
 * Returns the shape of what the operation of a service answers; undefined where that is not known.
 *
 * A model has one line for each operation and each shape with a name: `GetItem() @Output`, `Output Item!:{@Value} Size:n`
 * (an exclamation mark where the field has to be there), `State = On Off`. Types: `s` text and `n` number, both with
 * bounds (`s1..64`, `n..9`), `b` boolean, `[…]` list, `{…}` map, `@` a shape by its name, `*` anything.
 */
export async function answerOf(service: string, operation: string): Promise<Shape | undefined> {
  const { default: models } = await import('./service-models.json');
  const text = (models as Record<string, string>)[service] ?? '';
  const lines = new Map(text.split('\n').map((line) => [line.split(' ', 1)[0]!, line.slice(line.indexOf(' ') + 1)]));
  const answer = lines.get(`${operation}()`);
  return answer === undefined ? undefined : shapeOf(answer, lines);
}

function shapeOf(type: string, lines: ReadonlyMap<string, string>): Shape {
  const inner = type.slice(1, -1);
  const [, least, most] = /^[sn](-?[\d.]*?)\.\.(-?[\d.]*)$/.exec(type) ?? [];
  const bounds = { ...(least && { least: Number(least) }), ...(most && { most: Number(most) }) };
  switch (type[0]) {
    case 's':
      return { kind: 'string', ...bounds };
    case 'n':
      return { kind: 'number', ...bounds };
    case 'b':
      return { kind: 'boolean' };
    case '[':
      return { kind: 'list', member: () => shapeOf(inner, lines) };
    case '{':
      return { kind: 'map', member: () => shapeOf(inner, lines) };
    case '@':
      return named(lines.get(type.slice(1)) ?? '', lines);
    default:
      return { kind: 'any' };
  }
}

/** Members are made when they are asked for: shapes may hold themselves. */
function named(line: string, lines: ReadonlyMap<string, string>): Shape {
  const parts = line.split(' ').filter(Boolean);
  if (parts[0] === '=') return { kind: 'string', oneOf: parts.slice(1) };
  const members = parts.map((part) => part.split(':') as [string, string]);
  const types = new Map(members.map(([name, type]) => [memberKey(name.replace('!', '')), type]));
  return {
    kind: 'structure',
    required: members.filter(([name]) => name.endsWith('!')).map(([name]) => name.slice(0, -1)),
    member(field) {
      const type = types.get(memberKey(field));
      return type === undefined ? undefined : shapeOf(type, lines);
    },
  };
}
