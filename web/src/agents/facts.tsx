import type { ReactNode } from 'react';

/** A name and what is said of it. Nothing is said of what is false, zero or undefined. */
export type Fact = [name: string, words: ReactNode | undefined | false | 0];

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[11rem_1fr]">
      {facts
        .filter(([, words]) => words)
        .map(([name, words]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 max-sm:mb-1.5 [overflow-wrap:anywhere]">{words}</dd>
          </div>
        ))}
    </dl>
  );
}
