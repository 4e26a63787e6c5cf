import { isDeepStrictEqual } from 'node:util';

/** DynamoDB's expressions, as far as core sends them. Each is parsed once: core has some dozens of them. */
export interface Expression {
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

type Attributes = Record<string, unknown>;
/** How an expression's placeholders are resolved. */
interface Placeholders {
  name(text: string): string;
  value(text: string): unknown;
}
type Test = (row: Attributes | undefined, placeholders: Placeholders) => boolean;
type Change = (row: Attributes, placeholders: Placeholders) => void;

const placeholdersOf = ({ ExpressionAttributeNames: names, ExpressionAttributeValues: values }: Expression) => ({
  name: (text: string) => names![text]!,
  value: (text: string) => values?.[text],
});

/** Whether a row, or its absence, meets a condition. */
export function holds(part: Expression, row: Attributes | undefined): boolean {
  if (!part.ConditionExpression) return true;
  const placeholders = placeholdersOf(part);
  return testsOf(part.ConditionExpression).every((test) => test(row, placeholders));
}

/** A row after an update. */
export function updated<Row extends object>(update: Expression & { UpdateExpression: string }, before: Row): Row {
  const row = { ...before } as Row & Attributes;
  const placeholders = placeholdersOf(update);
  for (const change of changesOf(update.UpdateExpression)) change(row, placeholders);
  return row;
}

const testsOf = parsedOnce((condition) => condition.split(' AND ').map(testOf));

function testOf(text: string): Test {
  const [, absent] = /^attribute_not_exists\((#\w+)\)$/.exec(text) ?? [];
  if (absent) return (row, { name }) => row?.[name(absent)] === undefined;
  const [, orAbsent, limited, most] = /^(?:\(attribute_not_exists\((#\w+)\) OR )?(#\w+) <= (:\w+)\)?$/.exec(text) ?? [];
  if (limited)
    return (row, { name, value }) => {
      const number = row?.[name(limited)];
      return number === undefined ? orAbsent !== undefined : Number(number) <= Number(value(most!));
    };
  const [, among, list] = /^(#\w+) IN \((.*)\)$/.exec(text) ?? [];
  if (among) {
    const wanted = list!.split(', ');
    return (row, { name, value }) => wanted.some((one) => isSame(row?.[name(among)], value(one)));
  }
  const [, attribute, wanted] = /^(#\w+) = (:\w+)$/.exec(text) ?? [];
  if (!attribute) throw new Error(`The table in memory cannot read the condition ${text}.`);
  return (row, { name, value }) => row !== undefined && isSame(row[name(attribute)], value(wanted!));
}

const changesOf = parsedOnce((text) =>
  [...text.matchAll(/(SET|REMOVE|ADD) (.*?)(?= (?:SET|REMOVE|ADD) |$)/g)].flatMap(([, verb, list]) =>
    list!.split(/, (?=#)/).map((part) => changeOf(verb!, part)),
  ),
);

function changeOf(verb: string, text: string): Change {
  if (verb === 'REMOVE')
    return (row, { name }) => {
      delete row[name(text)];
    };
  if (verb === 'ADD') {
    const [attribute, sum] = text.split(' ') as [string, string];
    return (row, { name, value }) => {
      row[name(attribute)] = Number(row[name(attribute)] ?? 0) + Number(value(sum));
    };
  }
  const [, attribute, term, sum] = /^(#\w+) = (?:(#\w+|if_not_exists\(.*?\))(?: \+ |$))?(:\w+)?$/.exec(text) ?? [];
  if (!attribute) throw new Error(`The table in memory cannot read the change ${text}.`);
  const [, named, otherwise] = /^(?:if_not_exists\()?(#\w+)(?:, (:\w+)\))?$/.exec(term ?? '') ?? [];
  return (row, { name, value }) => {
    const base = named && (row[name(named)] ?? (otherwise && value(otherwise)));
    row[name(attribute)] = !named ? value(sum!) : sum ? Number(base) + Number(value(sum)) : base;
  };
}

function parsedOnce<Parsed>(parse: (text: string) => Parsed): (text: string) => Parsed {
  const known = new Map<string, Parsed>();
  return (text) => {
    const parsed = known.get(text) ?? parse(text);
    known.set(text, parsed);
    return parsed;
  };
}

const isSame = (one: unknown, other: unknown) => one === other || isDeepStrictEqual(one, other);
