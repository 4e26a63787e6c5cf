import type { ModelOutage, ModelOutages, ModelWait, PassedOver } from '../../base/models/model-outage';
import { type ModelChoice, type ModelChoices, modelsOf } from '../../base/models/provider';
import type { Agent } from '../agent/agent';
import type { Model } from '../agent/model';

/** The model that may be asked now, with those before it that do not answer; or the wait for the one that may be asked first. */
export type ModelDecision =
  | { kind: 'ask'; model: ModelChoice; insteadOf: PassedOver[] }
  | { kind: 'wait'; wait: ModelWait };

/**
 * Chooses the first model of a list that may be asked now. So a run returns to its first choice when the pause of that one is over. While a
 * model still has attempts in a row, the step waits for it; after that, the next one is asked.
 *
 * @param choices of the agent: its `model` or its `summaryModel`.
 */
export function chooseModel(
  choices: ModelChoices,
  agent: Agent,
  { outages = {}, about, now }: { outages?: ModelOutages; about: Model['about']; now: Date },
): ModelDecision {
  const out: (ModelOutage & { model: string })[] = [];
  for (const model of modelsOf(choices)) {
    const { maker, model: name } = about({ ...agent, model });
    const outage = outages[maker];
    if (!outage || Date.parse(outage.nextAt) <= now.getTime())
      return { kind: 'ask', model, insteadOf: out.map(({ model, since, reason }) => ({ model, since, reason })) };
    if (!outage.isOut) return { kind: 'wait', wait: waitFor([{ ...outage, model: name }]) };
    out.push({ ...outage, model: name });
  }
  return { kind: 'wait', wait: waitFor(out) };
}

/** All of them are out since the last one is. */
function waitFor(out: readonly (ModelOutage & { model: string })[]): ModelWait {
  const [{ model, reason, nextAt }] = out.toSorted((a, b) => (a.nextAt < b.nextAt ? -1 : 1)) as [(typeof out)[0]];
  const since = out
    .map((one) => one.since)
    .sort()
    .at(-1)!;
  return { model, since, reason, nextAt };
}
