import {
  anything,
  callable,
  either,
  fields,
  isKebabCase,
  isText,
  kebabWords,
  listOf,
  oneOf,
  optional,
  recordOf,
  text,
} from '../../core/base/schemas/definition';
import { InvalidInput } from '../../core/base/text/errors';
import type { Policies, Times } from '../../core/base/time/rule';
import { checkJitter, ruleOfTimes } from '../../core/base/time/schedule';
import type { AgentField } from '../../core/conversations/agent/agent-field';
import { policyRules } from '../../core/conversations/agent/table-effect';

/**
 * A task that an agent does at times which the code declares. Each of its users has a conversation for it, and in it a recurring timer, which
 * the user sees, and can pause, run and cancel.
 */
export interface Schedule extends Times, Policies {
  /** In kebab-case, unique in the agent. With another name it is another schedule. */
  name: string;
  /** What the agent is told each time. Either `text` or `input`. */
  text?: string;
  /** Data that the agent is told each time, as JSON. */
  input?: Record<string, unknown>;
  /**
   * Whose conversations they are: the deployment's own, or those of the users whose ids the function returns. It is called after each
   * deployment and once an hour. A user that it no longer returns has the schedule no longer.
   */
  for: 'deployment' | (() => readonly string[] | Promise<readonly string[]>);
}

export interface Scheduled {
  /** What it does at times, without being asked. */
  schedules?: Schedule[];
}

const schedule = fields<Schedule>({
  name: text,
  text: optional(text),
  input: optional(recordOf(anything)),
  cron: optional(text),
  every: optional(text),
  timeZone: optional(text),
  ...policyRules,
  for: either(isText, oneOf('deployment'), callable),
});

/** The schedules of an agent. */
export const agentField: AgentField<Scheduled> = {
  module: 'schedules',
  rules: { schedules: optional(listOf(schedule)) },
  check({ schedules = [] }) {
    for (const [index, one] of schedules.entries()) {
      const [field, problem] = mistakeIn(one, schedules.slice(0, index)) ?? [];
      if (field) return [`schedules[${index}].${field}`, problem!];
    }
    return undefined;
  },
};

/** Returns the first field of a schedule that is wrong, and why. */
function mistakeIn(schedule: Schedule, earlier: readonly Schedule[]): [field: string, problem: string] | undefined {
  const { name, text: said, input, jitterSeconds } = schedule;
  if (!isKebabCase(name)) return ['name', kebabWords];
  if (earlier.some((other) => other.name === name)) return ['name', `${name} is used twice`];
  if ((said === undefined) === (input === undefined)) return ['text', 'give either "text" or "input"'];
  try {
    checkJitter(ruleOfTimes(schedule, new Date()), jitterSeconds);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidInput) return [error.path, error.message];
    throw error;
  }
}
