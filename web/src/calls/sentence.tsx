import { Fragment } from 'react';
import type { Callback } from 'vigil-client';
import type { DecisionField } from 'vigil-client/shared';
import { useNow } from '../hooks/use-vigil';
import { rich } from '../languages/rich';
import { bareValue, localSentence } from '../words/fields';

interface SentenceProps extends Pick<Callback, 'prompt' | 'sentence'> {
  /** The fields as they would be approved. */
  fields: readonly DecisionField[];
}

/** The question of an approval, with each value in its place. */
export function Sentence({ prompt, sentence, fields }: SentenceProps) {
  const now = useNow();
  if (!sentence) return prompt;
  return localSentence(sentence, fields).parts.map((part, at) =>
    'text' in part ? (
      <Fragment key={at}>{part.text}</Fragment>
    ) : (
      <Fragment key={at}>
        <strong className="font-semibold tabular-nums">
          <bdi>{bareValue(part.field, now)}</bdi>
        </strong>
        {part.field.what && <span className="text-muted"> ({part.field.what})</span>}
        {part.field.was && (
          <span className="text-muted">
            {' '}
            {rich('(was {value})', {
              value: <bdi>{bareValue({ ...part.field, text: part.field.was }, now)}</bdi>,
            })}
          </span>
        )}
      </Fragment>
    ),
  );
}

/** Returns the fields that the question does not show. */
export const fieldsBelow = ({ sentence }: Pick<Callback, 'sentence'>, fields: DecisionField[]): DecisionField[] =>
  sentence ? localSentence(sentence, fields).rest : fields;
