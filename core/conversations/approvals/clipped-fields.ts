import type { DecisionField } from '../../base/state/schemas';
import { clip } from '../../base/text/clip';

/** Returns the beginning of the fields, and says where something is missing. */
export function clippedFields(fields: DecisionField[], characters: number): DecisionField[] {
  const kept: DecisionField[] = [];
  let room = characters;
  for (const field of fields) {
    const { label, text, what = '', was = '' } = field;
    const size = label.length + text.length + what.length + was.length;
    if (size > room) {
      const head = (whole: string) => clip(whole, { characters: Math.max(1, Math.floor(room / 2)) }, '…');
      kept.push({
        ...field,
        label: clip(label, { characters: 60 }),
        text: head(text),
        ...(was && { was: head(was) }),
        cut: true,
      });
      break;
    }
    kept.push(field);
    room -= size;
  }
  return kept;
}
