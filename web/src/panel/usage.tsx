import type { Shown } from '../state/use-vigil';
import { count, dollars } from '../state/words';
import { Section } from './section';

/** What the conversation has cost at the model's. */
export function UsageFigures({ conversation: { usage } }: { conversation: Shown }) {
  const rows = [
    ['Model calls', count(usage.modelCalls)],
    ['Tool calls', count(usage.toolCalls)],
    ['Tokens', `${count(usage.inputTokens)} in · ${count(usage.outputTokens)} out`],
    ['Model cost', dollars(usage.costMicrodollars)],
  ];
  return (
    <Section title="Usage">
      <dl className="grid grid-cols-[1fr_auto] gap-y-1 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
