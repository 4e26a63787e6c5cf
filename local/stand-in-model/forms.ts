import { clip } from '../../core/base/text/clip';
import { exampleOf } from './schema-example';
import type { Json, Output, PastCall, Turn } from './turn';

const prefix = 'hand_off_to_';
/** The tool with which a person is asked to take over. */
export const personTool = 'hand_off_to_person';
const longest = 200;
export const handOffTool = (agent: string): string => prefix + agent.replaceAll('-', '_');
/** Whether another agent takes over. A person gives the conversation back, so that is a call like others. */
export const isHandOff = ({ name }: { name: string }): boolean => name.startsWith(prefix) && name !== personTool;

/** Returns a tool or a hand-off as a line to type. */
export const formOf = (name: string, schema: Json): string =>
  isHandOff({ name })
    ? `/hand-off ${name.slice(prefix.length).replaceAll('_', '-')}`
    : `/call ${name} ${JSON.stringify(exampleOf({ type: 'object', ...schema }))}`;
export const resultForm = ({ schema }: Output): string => `/result ${JSON.stringify(exampleOf(schema))}`;
export const formsOf = ({ tools, output }: Turn): string =>
  asCode(...[...tools].map(([name, schema]) => formOf(name, schema)), output ? resultForm(output) : '/say some text');
export const asCode = (...lines: string[]): string => ['```', ...lines, '```'].join('\n');

export function courtesy(said: string): string | undefined {
  if (said.length > 60) return undefined;
  if (/^(?:thanks|thank you|thx|cheers|great|perfect|nice|cool|good|ok(?:ay)?|got it)\b/i.test(said))
    return "You're welcome.";
  return /^(?:hi|hello|hey)\b/i.test(said) ? 'Hello.' : undefined;
}
export const shortened = (text: string): string => clip(text, { characters: longest + ' …'.length }, ' …');
export const edited = ({ result }: PastCall): string =>
  result.startsWith('[The approver') ? ' You changed it when you approved it.' : '';

export const told = (calls: PastCall[]): string => calls.map(toldOf).join('\n\n');
function toldOf(past: PastCall): string {
  const words = past.result
    .replace(/^(?:\[The approver changed .*?\] (?=\{|Error: ))?(?:Error: )?/s, '')
    .replace(/\s+/g, ' ');
  const verb = /^(?:\[The approver changed .*?\] )?Error: /s.test(past.result)
    ? ' failed'
    : past.failed
      ? ''
      : ' answered';
  return `${past.name}${verb}: ${shortened(words)}${edited(past)}`;
}
