import { compileIntrinsic, isIntrinsic } from '../language/intrinsics/intrinsic';
import { compilePath, isReferencePath } from '../language/paths/path-expression';

/** Whether a text is a path: into the input, the context object or a variable. */
export const isPath = (text: string): boolean => parses(() => compilePath(text));

/** Whether a text is a path or a call of an intrinsic function. */
export const isFormula = (text: string): boolean =>
  isIntrinsic(text) ? parses(() => compileIntrinsic(text)) : isPath(text);

/** Whether a text is a path that names one place, in the input or a variable. */
export const isReference = (text: string): boolean =>
  !text.startsWith('$$') && isPath(text) && isReferencePath(compilePath(text));

function parses(compile: () => unknown): boolean {
  try {
    compile();
    return true;
  } catch {
    return false;
  }
}
