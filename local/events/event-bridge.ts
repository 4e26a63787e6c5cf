import { findFunction } from '../lambda/function-name';
import type { Lambda } from '../lambda/lambda';
import { retry } from '../retry';
import type { Resource, Template } from '../template/template';
import { assertPattern, matchesEvent, type Pattern } from './event-pattern';

/** The rules of each bus and their targets. */
export interface EventBridge {
  /**
   * Puts an event on a bus, by its name; the default bus unless one is given. Resolves when every matching target has
   * succeeded. Rejects if one failed in all attempts; the sender then repeats the event.
   */
  put(event: object, bus?: string): Promise<void>;
  stop(): void;
}

export interface EventBridgeOptions {
  /** Called for each event. */
  rules: () => readonly Rule[];
  lambda: Lambda;
}

export interface RulesOptions {
  template: Template;
  /** Whether the function's resource policy lets EventBridge invoke it for this rule. */
  mayInvoke: (functionArn: string, ruleArn: string) => boolean;
  log: (line: string) => void;
}

export interface Rule {
  name: string;
  bus: string;
  pattern: Pattern;
  targets: string[];
}

const backoff = { attempts: 6, firstDelayMs: 100, maxDelayMs: 5_000 };
export const defaultBus = 'default';

/** Returns the name of a bus, which may be given as a name or an ARN. */
export const busName = (nameOrArn: string): string => nameOrArn.split('/').at(-1) ?? '';

/** A target's own dead-letter queue stays empty, because a status change is repeated until it is delivered. */
const targetProperties = new Set(['Arn', 'DeadLetterConfig', 'Id', 'RetryPolicy']);

/**
 * Returns the rules of the template, with the targets that they may invoke. Schedules are left out: they never fire here.
 *
 * @throws Error for what is not supported.
 */
export function rulesOf({ template, mayInvoke, log }: RulesOptions): Rule[] {
  const withPattern = ({ properties }: Resource) => properties.EventPattern || !properties.ScheduleExpression;
  return template
    .ofType('AWS::Events::Rule')
    .filter(withPattern)
    .map((resource) => {
      const { rule, ruleArn } = readRule(resource, template);
      const refused = rule.targets.filter((target) => !mayInvoke(target, ruleArn));
      // AWS drops such events silently, which is hard to debug, so this logs them at the start.
      for (const target of refused)
        log(`The rule ${rule.name} may not invoke ${target}: the template gives no permission.`);
      return { ...rule, targets: rule.targets.filter((target) => !refused.includes(target)) };
    });
}

export function startEventBridge({ rules, lambda }: EventBridgeOptions): EventBridge {
  const stopping = new AbortController();
  return {
    async put(event, on = defaultBus) {
      const matching = rules().filter(({ bus, pattern }) => bus === on && matchesEvent(pattern, event));
      const payload = JSON.stringify(event);
      const targets = matching.flatMap((rule) => rule.targets);
      await Promise.all(
        targets.map((target) => retry(backoff, stopping.signal, () => deliver(lambda, target, payload))),
      );
    },
    stop: () => stopping.abort(),
  };
}

async function deliver(lambda: Lambda, target: string, payload: string): Promise<void> {
  const { functionError } = await lambda.invoke(target, payload);
  if (functionError) throw new Error(`The rule's target ${target} failed.`);
}

function readRule(
  { logicalId, ref, attributes, properties }: Resource,
  template: Template,
): { rule: Rule; ruleArn: string } {
  const { EventBusName, EventPattern, State, Targets } = properties;
  const bus = busName(String(EventBusName ?? defaultBus));
  const buses = template.ofType('AWS::Events::EventBus').map((one) => one.ref);
  if (bus !== defaultBus && !buses.includes(bus))
    throw new Error(`The rule ${logicalId} is on the event bus ${bus}, which is not in the template.`);
  if (!EventPattern) throw new Error(`The local cloud does not support rules without an EventPattern (${logicalId}).`);
  assertPattern(EventPattern, logicalId);
  const targets = (State === 'DISABLED' ? [] : (Targets ?? [])) as Record<string, unknown>[];
  for (const target of targets) {
    const unknown = Object.keys(target).find((property) => !targetProperties.has(property));
    if (unknown) throw new Error(`The local cloud does not support ${unknown} of a rule's target (${logicalId}).`);
    if (!findFunction(template.ofType('AWS::Lambda::Function'), String(target.Arn)))
      throw new Error(`The rule ${logicalId} has a target that is not a function of the template.`);
  }
  const rule = { name: ref, bus, pattern: EventPattern as Pattern, targets: targets.map(({ Arn }) => String(Arn)) };
  return { rule, ruleArn: attributes.Arn ?? '' };
}
