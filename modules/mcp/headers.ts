import { isJsonObject } from '../../core/base/json/json-object';
import type { JsonSchema } from '../../core/conversations/approvals/input-schema';

const annotation = 'x-mcp-header';
/** A name of HTTP (RFC 9110, `token`). */
const isToken = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Their values are data, and no schemas. */
const data = new Set(['default', 'const', 'enum', 'examples', annotation]);

/**
 * Returns what is wrong with the headers in which a server wants arguments to be sent, with the field; undefined for nothing. The protocol
 * says that such a tool must not be called.
 */
export function headerProblem(schema: JsonSchema): string | undefined {
  const names = new Set<string>();
  return problemIn(schema, 'inputSchema', true);

  /** @param isField whether only names of properties lead here. */
  function problemIn(value: unknown, at: string, isField: boolean): string | undefined {
    if (Array.isArray(value)) return first(value.map((one, index) => problemIn(one, `${at}.${index}`, false)));
    if (!isJsonObject(value)) return undefined;
    const own = Object.hasOwn(value, annotation) ? wrong(value, isField && at !== 'inputSchema') : undefined;
    if (own) return `${at}: "${annotation}" ${own}`;
    return first(
      Object.entries(value).map(([keyword, one]) => {
        if (data.has(keyword)) return undefined;
        if (keyword !== 'properties' || !isJsonObject(one)) return problemIn(one, `${at}.${keyword}`, false);
        return first(Object.entries(one).map(([name, field]) => problemIn(field, `${at}.${name}`, isField)));
      }),
    );
  }

  function wrong({ [annotation]: name, type }: Record<string, unknown>, isField: boolean): string | undefined {
    if (typeof name !== 'string' || !isToken.test(name)) return 'is no name of a header';
    if (!isField) return 'may only be at a field of the arguments';
    if (type !== 'string' && type !== 'integer' && type !== 'boolean')
      return 'must be at a text, an integer or a boolean';
    if (names.has(name.toLowerCase())) return 'has the name of another field';
    names.add(name.toLowerCase());
    return undefined;
  }
}

const first = (problems: (string | undefined)[]): string | undefined => problems.find((one) => one !== undefined);
