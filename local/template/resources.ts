import { findByName } from '../resource-names';
import type { Resource, Template } from './template';

/** What is deployed, for tests and tools: looked up by construct name, logical id, or the start of one. */
export interface Resources {
  /** `Ref` of a resource: a table's name, a function's name, a state machine's ARN. */
  ref(name: string): string;
  /** The one state machine, or the one of that name. */
  stateMachineArn(name?: string): string;
  tableName(name?: string): string;
  functionName(name: string): string;
  topicArn(name?: string): string;
  list(): readonly Resource[];
}

export function resourcesOf(template: Template): Resources {
  const find = (candidates: readonly Resource[], name: string | undefined, kind: string): string => {
    const found = name === undefined && candidates.length === 1 ? candidates[0] : findByName(candidates, name ?? '');
    if (found) return found.ref;
    throw new Error(
      `There is no one ${kind} ${name ?? ''}; there are: ${candidates.map((one) => one.name).join(', ')}.`,
    );
  };
  return {
    ref: (name) => find(template.resources, name, 'resource'),
    stateMachineArn: (name) => find(template.ofType('AWS::StepFunctions::StateMachine'), name, 'state machine'),
    tableName: (name) => find(template.ofType('AWS::DynamoDB::Table'), name, 'table'),
    functionName: (name) => find(template.ofType('AWS::Lambda::Function'), name, 'function'),
    topicArn: (name) => find(template.ofType('AWS::SNS::Topic'), name, 'topic'),
    list: () => template.resources,
  };
}
