import type { State } from '../execution/state';
import { bounded, runtimeFailure } from '../language/errors';
import { compileIntrinsic, isIntrinsic } from '../language/intrinsics/intrinsic';
import { type JsonObject, jsonText } from '../language/json';
import { compileQuery, typed } from '../language/jsonata/jsonata-template';
import { PathNotFound } from '../language/paths/json-path';
import { compilePath } from '../language/paths/path-expression';
import type { Scope } from '../language/scope';
import type { Steps } from '../language/steps';
import type { CompileContext } from './compile';

type TextField = (scope: Scope) => Steps<string | undefined>;

/** Section "Fail state": ends its branch with an error and a cause, each given, computed or absent. */
export function compileFail(fields: JsonObject, context: CompileContext): State {
  const [error, cause] = (['Error', 'Cause'] as const).map((name) => textField(fields, name, context.jsonata)) as [
    TextField,
    TextField,
  ];
  return {
    ...context.base(fields),
    next: undefined,
    *enter(transition, branch) {
      const scope = transition.scope(branch);
      return { kind: 'failed', failure: bounded({ error: yield* error(scope), cause: yield* cause(scope) }) };
    },
  };
}

function textField(fields: JsonObject, name: 'Error' | 'Cause', jsonata: boolean): TextField {
  const fixed = fields[name];
  if (jsonata && fixed !== undefined) {
    const query = compileQuery(fixed, name);
    return function* (scope) {
      return (yield* typed(query, fixed, name, 'string', scope)) as string;
    };
  }
  const dynamic = fields[`${name}Path`];
  const read = typeof dynamic === 'string' ? textPath(dynamic, `${name}Path`) : () => fixed as string | undefined;
  // biome-ignore lint/correctness/useYield: in JSONPath nothing waits
  return function* (scope) {
    return read(scope);
  };
}

function textPath(text: string, field: string): (scope: Scope) => string {
  const read = isIntrinsic(text) ? compileIntrinsic(text) : compilePath(text).read;
  return (scope) => {
    let value: unknown;
    try {
      value = read(scope);
    } catch (error) {
      if (!(error instanceof PathNotFound)) throw error;
      throw runtimeFailure(
        `The JSONPath '${text}' specified for the field '${field}' could not be found in the input '${jsonText(scope.input)}'`,
      );
    }
    if (typeof value === 'string') return value;
    throw runtimeFailure(`The JSONPath '${text}' specified for the field '${field}' does not reference a string`);
  };
}
