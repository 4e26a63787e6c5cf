import { variableOf } from './secret-variable';
import type { NeededValue, Template } from './template';

type Values = Readonly<Record<string, string | undefined>>;

/**
 * Returns what a template leaves to the deployer, from an environment: variables that a function declares empty, keys, by the variables
 * of their secrets, and what tools need. For the latter, this machine's value replaces that of the template.
 */
export function leftOpen(template: Template, environment: Values): Record<string, string> {
  const names = [
    ...declared(template)
      .filter(([, value]) => value === '')
      .map(([name]) => name),
    ...template.ofType('AWS::SecretsManager::Secret').map(variableOf),
    ...template.metadata.Needs.map(({ name }) => name),
  ];
  const found = names.map((name) => [name, environment[name]] as const);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => Boolean(entry[1])));
}

/** Returns what tools cannot do without, and has no value. */
export function unsetNeeds(template: Template, values: Values): NeededValue[] {
  const filled = new Set(
    declared(template)
      .filter(([, value]) => value !== '')
      .map(([name]) => name),
  );
  return template.metadata.Needs.filter(({ name, tools }) => tools.length > 0 && !values[name] && !filled.has(name));
}

const declared = (template: Template): [name: string, value: unknown][] =>
  template
    .ofType('AWS::Lambda::Function')
    .flatMap(({ properties }) =>
      Object.entries((properties.Environment as { Variables?: Record<string, unknown> })?.Variables ?? {}),
    );
