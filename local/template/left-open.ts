import { variableOf } from './secret-variable';
import type { Template } from './template';

/**
 * Returns what a template leaves to the deployer, from an environment: variables that a function declares empty, and
 * keys, by the variables of their secrets.
 */
export function leftOpen(template: Template, environment: NodeJS.ProcessEnv): Record<string, string> {
  const declared = template
    .ofType('AWS::Lambda::Function')
    .flatMap(({ properties }) =>
      Object.entries((properties.Environment as { Variables?: Record<string, unknown> })?.Variables ?? {}),
    );
  const names = [
    ...declared.filter(([, value]) => value === '').map(([name]) => name),
    ...template.ofType('AWS::SecretsManager::Secret').map(variableOf),
  ];
  const found = names.map((name) => [name, environment[name]] as const);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => Boolean(entry[1])));
}
