import * as z from 'zod';

/** JSON as text, because DynamoDB's maps reject large numbers and deep nesting, which tools and models send. */
export const JsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('it is not JSON');
    return z.NEVER;
  }
});

/** Returns a row with the named fields as JSON text. Undefined ones are left out. */
export const withJsonText = <Row extends object>(row: Row, ...fields: (keyof Row)[]): object => ({
  ...row,
  ...Object.fromEntries(
    fields.filter((field) => row[field] !== undefined).map((field) => [field, JSON.stringify(row[field])]),
  ),
});
