import { isObject, type JsonObject } from '../language/json';
import { type Checking, isJsonata } from './validate';

const words = (text: string): string[] => text.split(' ');
const paths = 'InputPath OutputPath';
const results = `${paths} Parameters ResultPath`;
const transition = 'Next End Assign Output';
const errors = 'Retry Catch';

/** The fields that each type of state can have, beside Type, Comment and QueryLanguage. */
const fieldsOf: Record<string, readonly string[]> = {
  Pass: words(`${transition} ${results} Result`),
  Task: words(
    `${transition} ${results} ${errors} Resource ResultSelector Arguments Credentials TimeoutSeconds TimeoutSecondsPath ` +
      'HeartbeatSeconds HeartbeatSecondsPath',
  ),
  Choice: words(`Assign Output ${paths} Choices Default`),
  Wait: words(`${transition} ${paths} Seconds SecondsPath Timestamp TimestampPath`),
  Succeed: words(`Output ${paths}`),
  Fail: words('Error ErrorPath Cause CausePath'),
  Parallel: words(`${transition} ${results} ${errors} Branches ResultSelector Arguments`),
  Map: words(
    `${transition} ${results} ${errors} ItemProcessor Iterator Items ItemsPath ItemSelector ItemReader ItemBatcher ` +
      'ResultSelector ResultWriter Label MaxConcurrency MaxConcurrencyPath ToleratedFailureCount ' +
      'ToleratedFailureCountPath ToleratedFailurePercentage ToleratedFailurePercentagePath',
  ),
};
const known = new Set(Object.values(fieldsOf).flat());

/** Reports each field that only states of another type have. */
export function checkFields({ report }: Checking, state: JsonObject, at: string): void {
  const own = fieldsOf[String(state.Type)] ?? [];
  for (const field of Object.keys(state))
    if (known.has(field) && !own.includes(field)) report(`Field '${field}' is not supported`, at);
}

const jsonPathOnly = new Set([...words(`${results} Result ResultSelector`), ...[...known].filter(isPath)]);
const jsonataOnly = new Set(['Arguments', 'Output', 'Items']);

function isPath(field: string): boolean {
  return field.endsWith('Path');
}

/** Reports the fields of the query language that the state does not have. */
export function checkLanguage(checking: Checking, state: JsonObject, at: string): void {
  const own = isJsonata(checking, state) ? 'JSONata' : 'JSONPath';
  const other = own === 'JSONata' ? 'JSONPath' : 'JSONata';
  const refuse = (fields: string[], place: string) => {
    for (const field of fields)
      checking.report(
        `The QueryLanguage is set to '${own}', but field '${field}' is only supported for the '${other}' QueryLanguage`,
        place,
      );
  };
  const refused = own === 'JSONata' ? jsonPathOnly : jsonataOnly;
  const refuseIn = (fields: JsonObject, place: string) =>
    refuse(
      Object.keys(fields).filter((field) => refused.has(field)),
      place,
    );
  refuseIn(state, at);
  for (const list of ['Choices', 'Catch'])
    for (const [i, rule] of Object.entries(state[list] ?? []))
      if (isObject(rule)) refuseIn(rule, `${at}/${list}[${i}]`);
  if (own === 'JSONPath') return;
  for (const name of ['ItemBatcher', 'ItemReader/ReaderConfig']) {
    const inside = name.split('/').reduce<unknown>((found, key) => (found as JsonObject | undefined)?.[key], state);
    refuse(Object.keys(inside ?? {}).filter(isPath), `${at}/${name}`);
  }
}

const languages = ['JSONPath', 'JSONata'];

/** Reports a query language that there is not. */
export function checkLanguageName(
  { report }: Pick<Checking, 'report'>,
  { QueryLanguage }: JsonObject,
  at: string,
): void {
  if (QueryLanguage === undefined) return;
  if (typeof QueryLanguage !== 'string') report('Expected value of type [STRING]', `${at}/QueryLanguage`);
  else if (!languages.includes(QueryLanguage))
    report(`Value should be one of the following: [${languages.join(', ')}]`, `${at}/QueryLanguage`);
}
