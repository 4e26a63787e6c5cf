import { findByName } from '../resource-names';
import type { Resource, Template } from './template';

/** The deployed resources, for tests and tools: found by construct name, logical id or a unique start of that. */
export interface Resources {
  /** Returns the `Ref` of a resource: a table's name, a function's name, a state machine's ARN. */
  ref(name: string): string;
  /** Returns the only state machine, or the one with this name. */
  stateMachineArn(name?: string): string;
  tableName(name?: string): string;
  functionName(name: string): string;
  list(): readonly Resource[];
}

export function resourcesOf(template: Template): Resources {
  const find = (candidates: readonly Resource[], name: string | undefined, kind: string): string => {
    const found = name === undefined && candidates.length === 1 ? candidates[0] : findByName(candidates, name ?? '');
    if (found) return found.ref;
    throw new Error(
      `There is no unique ${kind} ${name ?? ''}; available: ${candidates.map((one) => one.name).join(', ')}.`,
    );
  };
  return {
    ref: (name) => find(template.resources, name, 'resource'),
    stateMachineArn: (name) => find(template.ofType('AWS::StepFunctions::StateMachine'), name, 'state machine'),
    tableName: (name) => find(template.ofType('AWS::DynamoDB::Table'), name, 'table'),
    functionName: (name) => find(template.ofType('AWS::Lambda::Function'), name, 'function'),
    list: () => template.resources,
  };
}
