import { isHandOff } from './forms';
import { call, type Json, type Saying, type Turn } from './turn';

const forms = /\b(?:on|for|of|about|in|to|at) (?:the )?("[^"]+"|\p{Lu}[\p{L}\d-]*(?: \p{Lu}[\p{L}\d-]*)*|\d[\w.-]*)/gu;

/**
 * Calls the tool whose name the message spells: "What are your opening hours on Monday?" calls `opening_hours` with "Monday". Its
 * required fields are texts, which are the names, numbers and quotations of the message, in their order.
 */
export function callNamed({ said, tools, replies }: Turn): Saying | undefined {
  if (replies.length > 0) return undefined;
  const words = said.toLowerCase();
  const values = [...said.matchAll(forms)].map(([, value = '']) => value.replace(/^"|"$/g, ''));
  for (const [name, { properties = {}, required = [] }] of tools as Map<string, Json>) {
    const isNamed =
      name.includes('_') && !isHandOff({ name }) && words.includes(name.toLowerCase().replaceAll('_', ' '));
    const isFilled =
      required.length <= values.length && required.every((field: string) => properties[field]?.type === 'string');
    if (isNamed && isFilled)
      return {
        calls: [call(name, Object.fromEntries(required.map((field: string, at: number) => [field, values[at]])))],
      };
  }
  return undefined;
}
