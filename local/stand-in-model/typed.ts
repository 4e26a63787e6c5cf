import { exampleOf } from './schema-example';
import { misfit } from './told-limits';
import type { Output, Saying } from './turn';

/** The names of fields for sentences, which may say what happened. */
const forSentences = /^(?:answer|comment|description|explanation|message|notes?|reason|reply|result|summary|text)$/i;
const fence = '```';

/**
 * Returns the last reply of an agent with an `output`: the object that was typed, or an example. What the stand-in has to
 * say is in a field for sentences, or else before the object, unless the server holds the reply to the object.
 */
export function typed({ schema, isEnforced }: Output, { text = '', result }: Saying): string {
  const example = Object(exampleOf(schema));
  const fields = Object.keys(example).filter((name) => forSentences.test(name) && typeof example[name] === 'string');
  // A fence within the object would hide the object from who reads the last fenced block.
  const isPlain = text !== '' && !text.includes(fence);
  const telling = isPlain && fields.map((name) => ({ ...example, [name]: text })).find((one) => !misfit(schema, one));
  const object = result ?? (telling || example);
  const isTold = !text || (!result && telling);
  if (isTold || isEnforced) return JSON.stringify(object);
  // The last fenced block is read, so each block before it has an end.
  const words = text.split(fence).length % 2 === 1 ? text : text.replaceAll(fence, '');
  return `${words}\n\n${fence}json\n${JSON.stringify(object, null, 2)}\n${fence}`;
}
