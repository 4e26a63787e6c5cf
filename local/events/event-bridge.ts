import type { Lambda } from '../lambda/lambda';
import { retry } from '../retry';
import type { Resource, Template } from '../template/template';
import { assertPattern, matchesEvent, type Pattern } from './event-pattern';

/** The rules of each bus and their targets. */
export interface EventBridge {
  /**
   * Puts an event on a bus, by its name; on the default bus unless one is given. Resolves when every matching target did its
   * work; rejects when one did not in all attempts, and the sender asks again.
   */
  put(event: object, bus?: string): Promise<void>;
  stop(): void;
}

export interface EventBridgeOptions {
  template: Template;
  lambda: Lambda;
  /** Whether the function's resource policy lets EventBridge call it for this rule. */
  mayInvoke: (functionArn: string, ruleArn: string) => boolean;
  log: (line: string) => void;
}

interface Rule {
  name: string;
  bus: string;
  pattern: Pattern;
  targets: string[];
}

const backoff = { attempts: 6, firstDelayMs: 100, maxDelayMs: 5_000 };
export const defaultBus = 'default';

/** A bus is named by its name or its ARN. */
export const busName = (nameOrArn: string): string => nameOrArn.split('/').at(-1) ?? '';

/** A target's own dead-letter queue stays empty: a status change is told until it is taken, however long that is. */
const targetProperties = new Set(['Arn', 'DeadLetterConfig', 'Id', 'RetryPolicy']);

export function startEventBridge({ template, lambda, mayInvoke, log }: EventBridgeOptions): EventBridge {
  const stopping = new AbortController();
  const buses = new Set([defaultBus, ...template.ofType('AWS::Events::EventBus').map(({ ref }) => ref)]);
  const rules = template.ofType('AWS::Events::Rule').map((rule) => readRule(rule, buses, lambda));
  const open = rules.map(({ rule, ruleArn }) => {
    const refused = rule.targets.filter((target) => !mayInvoke(target, ruleArn));
    // AWS drops such events without a word, which is hard to find: here it is said at the start.
    for (const target of refused)
      log(`The rule ${rule.name} may not invoke ${target}: the template gives no permission.`);
    return { ...rule, targets: rule.targets.filter((target) => !refused.includes(target)) };
  });

  return {
    async put(event, on = defaultBus) {
      const matching = open.filter(({ bus, pattern }) => bus === on && matchesEvent(pattern, event));
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
  buses: ReadonlySet<string>,
  lambda: Lambda,
): { rule: Rule; ruleArn: string } {
  const { EventBusName, EventPattern, State, Targets } = properties;
  const bus = busName(String(EventBusName ?? defaultBus));
  if (!buses.has(bus))
    throw new Error(`The rule ${logicalId} is on the event bus ${bus}, which is not in the template.`);
  if (!EventPattern) throw new Error(`The local cloud does not support rules without an EventPattern (${logicalId}).`);
  assertPattern(EventPattern, logicalId);
  const targets = (State === 'DISABLED' ? [] : (Targets ?? [])) as Record<string, unknown>[];
  for (const target of targets) {
    const unknown = Object.keys(target).find((property) => !targetProperties.has(property));
    if (unknown) throw new Error(`The local cloud does not support ${unknown} of a rule's target (${logicalId}).`);
    if (!lambda.find(String(target.Arn)))
      throw new Error(`The rule ${logicalId} has a target that is no function of the template.`);
  }
  const rule = { name: ref, bus, pattern: EventPattern as Pattern, targets: targets.map(({ Arn }) => String(Arn)) };
  return { rule, ruleArn: attributes.Arn ?? '' };
}
