import type { State } from '../execution/state';
import type { JsonObject } from '../language/json';
import type { CompileContext } from './compile';

/** Section "Succeed state": ends its branch with its input, through InputPath and OutputPath. */
export function compileSucceed(fields: JsonObject, context: CompileContext): State {
  return {
    ...context.base(fields),
    next: undefined,
    // biome-ignore lint/correctness/useYield: nothing waits here
    *enter() {
      return { kind: 'result', result: undefined };
    },
  };
}
