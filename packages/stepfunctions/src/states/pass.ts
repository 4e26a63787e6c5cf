import type { State } from '../execution/state';
import type { JsonObject } from '../language/json';
import type { CompileContext } from './compile';

/** Section "Pass state": hands on its input, its Result or what its Parameters make. */
export function compilePass(fields: JsonObject, context: CompileContext): State {
  const fixed = fields.Result;
  const base = context.base(fields);
  return {
    ...base,
    *enter(transition, branch) {
      if (context.jsonata) return { kind: 'result', result: undefined };
      if (fixed !== undefined) return { kind: 'result', result: fixed };
      const scope = transition.scope(branch);
      const input = base.flow.input(scope);
      const result = base.flow.arguments ? yield* base.flow.arguments({ ...scope, input }) : input;
      return { kind: 'result', result };
    },
  };
}
