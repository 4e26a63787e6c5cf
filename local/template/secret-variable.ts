import type { Resource } from './template';

const tag = 'vigil:variable';

/** Returns the variable with a secret's value: the one that its tag names, or the last part of its name. */
export function variableOf({ properties }: Resource): string {
  const tags = (properties.Tags ?? []) as { Key: string; Value: string }[];
  return (
    tags.find(({ Key }) => Key === tag)?.Value ??
    String(properties.Name ?? '')
      .split('/')
      .at(-1)!
  );
}
