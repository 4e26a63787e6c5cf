import { agentFields } from '../../../modules/agent-fields';
import type { Problem, RulesOf } from '../../base/schemas/definition';

/** Fields of agents that a module brings. The module has them in its file `agent-field.ts`, which `modules/agent-fields.ts` lists. */
export interface AgentField<Fields extends object = object> {
  /** Its folder in `modules`. */
  module: string;
  rules: RulesOf<Fields>;
  /** Checks what `rules` cannot. */
  check?(fields: Fields): Problem | undefined;
}

type FieldsOf<One> = One extends AgentField<infer Fields> ? Fields : never;
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (one: infer Both) => void
  ? Both
  : never;

/** The fields that agents have by the modules that are there. */
export type FieldsOfModules = All<FieldsOf<(typeof agentFields)[number]>> & object;

const all: readonly AgentField[] = agentFields;

export const rulesOfModules = Object.assign({}, ...all.map(({ rules }) => rules)) as RulesOf<FieldsOfModules>;

/** Returns the first field of a module that is wrong, and why. */
export const mistakeOfModules = (spec: object): Problem | undefined =>
  all.map(({ check }) => check?.(spec)).find((one) => one !== undefined);

/** Returns the fields of modules that an agent makes use of, each with its module. */
export const fieldsOfModules = (agent: object): { field: string; module: string }[] =>
  all.flatMap(({ module, rules }) =>
    Object.keys(rules).flatMap((field) =>
      isUsed((agent as Record<string, unknown>)[field]) ? [{ field, module }] : [],
    ),
  );

/** `false` and an empty list say the same as no field. */
const isUsed = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
