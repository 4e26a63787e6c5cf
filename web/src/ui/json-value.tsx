import { clsx } from 'clsx';
import { useState } from 'react';
import { t } from '../languages/catalogue';
import { wordsOf } from '../words/problem-words';
import { Button } from './button';
import { Late, lazily } from './late';

const JsonTree = lazily(() => import('./json-tree'), 'JsonTree');

export interface JsonValueProps {
  label: string;
  value: unknown;
  bad?: boolean;
  /** Reads the whole value, if this is its beginning. */
  whole?: () => Promise<unknown>;
}

/** A value of JSON: a tree, which is loaded when the first one is shown, or a text. */
export function JsonValue({ label, value, bad, whole }: JsonValueProps) {
  const [read, setRead] = useState<{ of: unknown; all: unknown }>();
  const [state, setState] = useState<'ready' | 'busy' | { problem: string }>('ready');
  const isRead = read !== undefined && read.of === value;
  const shown = isRead ? read.all : value;
  const readAll = () => {
    setState('busy');
    whole?.().then(
      (all) => {
        setRead({ of: value, all });
        setState('ready');
      },
      (error: unknown) => setState({ problem: wordsOf(error) }),
    );
  };
  return (
    <>
      {typeof shown === 'object' && shown !== null && Object.keys(shown).length > 0 ? (
        <Late meanwhile={<Text text={JSON.stringify(shown, null, 2)} bad={bad} />}>
          <JsonTree label={label} value={shown} />
        </Late>
      ) : (
        <Text text={typeof shown === 'string' ? shown : JSON.stringify(shown)} bad={bad} />
      )}
      {whole && !isRead && isBeginning(value) && (
        <Button look="quiet" className="text-xs" disabled={state === 'busy'} onClick={readAll}>
          {t('Show all')}
        </Button>
      )}
      {typeof state === 'object' && (
        <span role="alert">{t('Could not be read: {problem}', { problem: state.problem })}</span>
      )}
    </>
  );
}

/** Whether the API has cut the value (`headCharacters` in core/people/views/shown.ts and core/conversations/calls/result.ts). */
const isBeginning = (value: unknown): boolean =>
  typeof value === 'string' && value.length === 2_001 && value.endsWith('…');

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
