import { t } from '../languages/catalogue';

/** A line of a JSON tree that is visible. */
export interface JsonRow {
  /** As in JavaScript: `$.items[0].name`. */
  path: string;
  /** The field in quotes, or the index; undefined for the root. */
  name?: string;
  level: number;
  /** Its place among its siblings, from 1, and their number. */
  place: number;
  of: number;
  value: unknown;
  /** Whether it has fields, and shows them; undefined for a value without fields. */
  open?: boolean;
  /** Stands for the siblings that are not shown yet. */
  more?: number;
}

/** The number of a value's fields shown at first. */
export const fieldsAtOnce = 50;

export const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

/**
 * Returns the visible lines of a tree.
 *
 * @param open the paths that differ from the default, by which the first two levels are open.
 * @param whole the paths of which all fields are shown.
 */
export function jsonRows(value: unknown, open: ReadonlyMap<string, boolean>, whole: ReadonlySet<string>): JsonRow[] {
  const rows: JsonRow[] = [];
  const add = (row: Omit<JsonRow, 'open'>): void => {
    const { value: own, path, level } = row;
    if (!isNested(own)) {
      rows.push(row);
      return;
    }
    const isOpen = open.get(path) ?? level <= openLevels;
    rows.push({ ...row, open: isOpen });
    if (!isOpen) return;
    const fields = Object.entries(own);
    // One more line would say that one is missing, so that one is shown.
    const shown = whole.has(path) || fields.length <= fieldsAtOnce + 1 ? fields : fields.slice(0, fieldsAtOnce);
    const isCut = shown.length < fields.length;
    const of = shown.length + Number(isCut);
    shown.forEach(([name, inner], index) => {
      const isList = Array.isArray(own);
      const named = isList ? name : JSON.stringify(name);
      add({
        path: path + (isList ? `[${name}]` : pathOf(name)),
        name: named,
        level: level + 1,
        place: index + 1,
        of,
        value: inner,
      });
    });
    if (isCut)
      rows.push({
        path: `${path} …`,
        level: level + 1,
        place: of,
        of,
        value: path,
        more: fields.length - shown.length,
      });
  };
  add({ path: '$', level: 1, place: 1, of: 1, value });
  return rows;
}

const openLevels = 2;

const pathOf = (field: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(field) ? `.${field}` : `[${JSON.stringify(field)}]`;

/** Returns what a closed value holds: `{3 fields}`, `[1 item]`, or `{}`. */
export function insideWords(value: object): string {
  const count = Object.keys(value).length;
  if (Array.isArray(value))
    return count === 0 ? '[]' : `[${t('{count, plural, one {# item} other {# items}}', { count })}]`;
  return count === 0 ? '{}' : `{${t('{count, plural, one {# field} other {# fields}}', { count })}}`;
}

/** Returns the index to which a key moves in a tree, or undefined for another key. */
export function moveIn(rows: readonly JsonRow[], from: number, key: string): number | undefined {
  const last = rows.length - 1;
  const { level = 1, open } = rows[from] ?? {};
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, from + 1);
    case 'ArrowUp':
      return Math.max(0, from - 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'ArrowRight':
      return open ? from + 1 : undefined;
    case 'ArrowLeft':
      return open
        ? undefined
        : Math.max(
            0,
            rows.findLastIndex((row, index) => index < from && row.level < level),
          );
    default:
      return undefined;
  }
}
