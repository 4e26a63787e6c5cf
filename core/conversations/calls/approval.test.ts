import * as z from 'zod';
import { testTool } from '../../../test/support/tables/steps';
import type { FunctionTool } from '../agent/tool';
import { contentOf } from '../approvals/form';
import type { StoredCall } from '../rows/rows';
import { approvalOf, questionOf } from './approval';
import { canonical } from './approved';

const tool: FunctionTool = { ...testTool('travel__book', { source: 'system' }), server: 'travel' };
const call = { id: 'r.1.00', runId: 'r', user: 'ada' } as StoredCall;
const now = new Date('2026-01-01T00:00:00Z');
const question = (properties: object, required: string[] = []) => ({
  message: 'Which seat?',
  form: { type: 'object', properties, required },
});
const asked = (properties: object, answers?: unknown[]) =>
  questionOf(tool, { ...call, answers }, question(properties), now);

describe('a question of an MCP server to the user (R175)', () => {
  test('names the server, quotes it, shows the form, and is for the owner alone', () => {
    const seat = { type: 'string', description: 'Where', enum: ['aisle', 'window'] };
    expect(asked({ seat, bags: { type: 'integer' }, meal: { type: 'boolean' } })).toMatchObject({
      id: 'r.1.00.q1',
      callId: 'r.1.00',
      kind: 'approval',
      asker: 'travel',
      decider: 'user:ada',
      prompt:
        'The MCP server travel asks in the middle of this call, in its own words: "Which seat?" ' +
        'It gets what you enter. Give it no password and no key.',
      arguments: { seat: '', bags: null, meal: false },
      kinds: { seat: 'Where; one of: aisle, window' },
      sources: ['system'],
      expiresAt: '2026-01-08T00:00:00.000Z',
    });
    expect(asked({ seat }, [{}])).toMatchObject({ id: 'r.1.00.q2' });
  });

  test.each<[string, object, unknown[], string]>([
    ['a password', { Password: { type: 'string' } }, [], 'for a secret, which a form must not ask for'],
    ['a key by its title', { a: { type: 'string', title: 'API key' } }, [], 'for a secret'],
    ['a sixth time', { a: { type: 'string' } }, [{}, {}, {}, {}, {}], 'more than 5 times'],
    ['with a form that cannot be shown', { a: { type: 'string', not: {} } }, [], 'its form cannot be shown'],
    ['with a form too long', { a: { type: 'string', description: 'x'.repeat(20_000) } }, [], 'its form is too long'],
    [
      'with too many fields',
      Object.fromEntries([...Array(21).keys()].map((at) => [`f${at}`, { type: 'string' }])),
      [],
      'more than 20 fields',
    ],
  ])('is not asked: %s', (_, properties, answers, why) => {
    const refused = asked(properties, answers) as (unknown?: string) => string;
    expect(refused()).toContain(why);
    expect(refused()).toMatch(/, so it was not done\.$/);
  });

  test('gets what fits its form, without the fields that are left empty', () => {
    const form = question({ seat: { enum: ['aisle'] }, bags: { type: 'integer', maximum: 2 } }, ['seat']);
    expect(contentOf(form, { seat: 'aisle', bags: null })).toEqual({ content: { seat: 'aisle' } });
    expect(contentOf(form, { seat: '', bags: 1 })).toEqual(['seat', 'fill it in']);
    expect(contentOf(form, { seat: 'aisle', bags: 3 })).toEqual(['bags', expect.any(String)]);
    expect(contentOf(form, { seat: 'wing' })).toEqual(['seat', expect.any(String)]);
    expect(contentOf(form, { seat: 'aisle', key: 'k' })).toEqual(['key', 'the server has not asked for it']);
  });
});

test('what a schema makes of the arguments has a digest, also if it is not JSON (R192)', () => {
  const input = z.object({ id: z.string().transform(BigInt) });
  expect(canonical(input, { id: '9007199254740993' })).toEqual({ id: '9007199254740993' });
});

test('a tool whose title is its server’s is asked about by its name as well (R251)', () => {
  const titled: FunctionTool = { ...testTool('files__delete_all', { title: 'Read the list' }), server: 'files' };
  const { prompt } = approvalOf(titled, { ...call, arguments: {} }, { owner: 'ada', now });
  expect(prompt).toBe(
    `May the tool "${titled.name}", which its server calls "Read the list", run with these arguments?`,
  );
});
