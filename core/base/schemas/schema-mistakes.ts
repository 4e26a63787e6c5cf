import * as z from 'zod';

/** Returns what would fail at each call, whatever a model sends. */
export function mistakeIn(def: z.core.$ZodTypes['_zod']['def']): string | undefined {
  const checks = (def.checks ?? []).flatMap((check) => [(check._zod.def as { fn?: unknown }).fn, check._zod.check]);
  if ([...checks, ...transformsIn(def)].some(isAsync))
    return 'a refinement or a transform must not be async: check it in execute';
  if (def.type === 'literal' && def.values.some((one) => typeof one === 'number' && !Number.isFinite(one)))
    return 'a fixed value must be a text, a number, true, false or null';
  if (def.type !== 'default' && def.type !== 'prefault' && def.type !== 'catch') return undefined;
  const check = def.type === 'prefault' ? z.safeParse : z.safeEncode;
  // A transform cannot be undone, and a function may need what was caught.
  try {
    const value = def.type === 'catch' ? def.catchValue(undefined as never) : def.defaultValue;
    const { error } = check(def.innerType as z.ZodType, value as never);
    return error && `its ${def.type}, ${JSON.stringify(value)}, does not fit: ${error.issues[0]!.message}`;
  } catch {
    return undefined;
  }
}

/** Only one side of a pipe is told to a model. */
function transformsIn(def: z.core.$ZodTypes['_zod']['def']): unknown[] {
  if (def.type === 'transform') return [def.transform];
  if (def.type !== 'pipe') return [];
  const { transform, reverseTransform } = def as Partial<z.core.$ZodCodecDef>;
  return [
    transform,
    reverseTransform,
    ...[def.in, def.out].flatMap((one) => transformsIn((one as z.core.$ZodTypes)._zod.def)),
  ];
}

const isAsync = (made: unknown): boolean => Object.prototype.toString.call(made) === '[object AsyncFunction]';
