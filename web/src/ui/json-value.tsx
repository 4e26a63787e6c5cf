import { clsx } from 'clsx';
import { lazy } from 'react';
import { Late } from './late';

const JsonTree = lazy(async () => ({ default: (await import('./json-tree')).JsonTree }));

export interface JsonValueProps {
  label: string;
  value: unknown;
  bad?: boolean;
}

/** A value of JSON: a tree, which is loaded when the first one is shown, or a text. */
export function JsonValue({ label, value, bad }: JsonValueProps) {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    return (
      <Late meanwhile={<Text text={JSON.stringify(value, null, 2)} bad={bad} />}>
        <JsonTree label={label} value={value} />
      </Late>
    );
  return <Text text={typeof value === 'string' ? value : JSON.stringify(value)} bad={bad} />;
}

function Text({ text, bad }: { text: string; bad?: boolean }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      tabIndex={0}
      className={clsx(
        'max-h-72 overflow-auto whitespace-pre-wrap font-mono text-xs [overflow-wrap:anywhere]',
        bad ? 'text-bad' : 'text-ink',
      )}
    >
      {text}
    </pre>
  );
}
