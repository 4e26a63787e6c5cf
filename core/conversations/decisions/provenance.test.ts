import { testTool } from '../../../test/support/tables/steps';
import type { FunctionTool } from '../agent/tool';
import type { StoredMessage } from '../rows/rows';
import { neededAfterUntrusted, nothingRead, whatIsRead, withCallsBefore } from './provenance';
import type { CallWithResult } from './transcript';

const message = (seq: number, fields: Partial<StoredMessage> = {}) =>
  ({ seq, role: 'user', text: '', status: 'complete', ...fields }) as StoredMessage;
const call = (fields: Partial<CallWithResult>) => ({ tool: 'look', ...fields }) as CallWithResult;

describe('what a model has read (R144)', () => {
  test('calls are counted since the user’s own words, and only they begin anew (R144, R195)', () => {
    const reply = (seq: number, step: number) => message(seq, { role: 'assistant', runId: 'r', step });
    const look = (step: number, tool = 'look') => call({ tool, runId: 'r', step });
    const messages = [message(1), reply(2, 1), reply(3, 2)];
    const calls = [look(1), look(1), look(2), look(2, 'other')];
    const count = (more: StoredMessage[], also: CallWithResult[] = []) =>
      whatIsRead({ messages: [...messages, ...more], calls: [...calls, ...also] }, 9).callsSinceUser('look');
    expect(count([])).toBe(3);
    // A delivery, a timer and a task from outside are no words of the user.
    for (const outside of [message(4, { sources: ['web'] }), message(4, { role: 'system' })])
      expect(count([outside, reply(5, 3)], [look(3)])).toBe(4);
    expect(count([message(4, { status: 'pending' })])).toBe(3);
    expect(count([message(4)])).toBe(0);
    expect(count([message(4), reply(5, 3)], [look(3)])).toBe(1);
    const task = [message(1, { sources: ['web'] })];
    expect(whatIsRead({ messages: task, calls: [] }, 9).callsSinceUser('look')).toBe(Number.POSITIVE_INFINITY);
    expect(withCallsBefore(nothingRead, []).callsSinceUser('look')).toBe(Number.POSITIVE_INFINITY);
  });

  test.each<[string, StoredMessage[], CallWithResult[], string[] | undefined]>([
    ['nothing from outside', [message(1)], [call({})], undefined],
    ['a result', [], [call({ sources: ['web'] })], ['web']],
    ['a message, and a result', [message(1, { sources: ['system'] })], [call({ sources: ['web'] })], ['system', 'web']],
    ['what was recalled for an earlier reply', [message(2, { recalledSources: ['unknown'] })], [], ['unknown']],
    [
      'what its owner trusts',
      [message(1, { sources: ['web'], trusted: true })],
      [call({ sources: ['web'], trusted: true })],
      undefined,
    ],
    ['a message that is still unread', [message(1, { sources: ['web'], status: 'pending' })], [], undefined],
    ['a later message', [message(9, { sources: ['web'] })], [], undefined],
  ])('%s', (_what, messages, calls, sources) => {
    expect(whatIsRead({ messages, calls }, 9).sources).toEqual(sources);
  });

  test.each<[string, boolean]>([
    ['https://a.example/x', true],
    ['https://listed.example/', true],
    ['https://page.example/', false],
    ['https://a.example/', false],
    ['https://a.example/xy', false],
    ['a.example/x', false],
    ['https://task.example/', false],
    ['', false],
  ])('quotes %j: %s', (address, quotes) => {
    const messages = [
      message(1, { text: 'See https://a.example/x. Thanks' }),
      message(2, { text: 'https://task.example/', sources: ['web'] }),
    ];
    const calls = [
      call({ tool: 'search', result: '1. Title\n   https://listed.example/\n   words', sources: ['web'] }),
      call({ tool: 'read', result: 'https://page.example/', sources: ['web'] }),
    ];
    expect(whatIsRead({ messages, calls }, 9).quotes(address, 'search')).toBe(quotes);
  });
});

describe('after words from outside, a call (R144)', () => {
  const tool = (spec: Partial<FunctionTool>) => testTool('act', spec as object);
  const read = { ...nothingRead, sources: ['web' as const] };

  test.each<[string, Partial<FunctionTool>, string]>([
    ['that only reads', {}, 'allow'],
    ['that only reads other people’s words here', { source: 'person' }, 'allow'],
    ['that only reads a file here', { source: 'file', needs: { files: true } }, 'allow'],
    ['that asks a service about a file', { source: 'file', needs: { secrets: ['KEY'] } }, 'approve'],
    ['whose address leaves', { source: 'web' }, 'approve'],
    ['that asks a service with a key', { source: 'person', needs: { secrets: ['KEY'] } }, 'approve'],
    ['that asks a service by its address', { source: 'person', needs: { variables: ['CRM_URL'] } }, 'approve'],
    ['of an MCP server', { source: 'person', server: 'crm' }, 'approve'],
    ['that reaches the network, and brings no words', { source: 'none' }, 'approve'],
    ['with an effect in the table', { effect: 'table' }, 'approve'],
    ['with an effect elsewhere', { effect: 'once' }, 'approve'],
    ['whose tool says so', { effect: 'once', afterUntrusted: () => 'refuse' }, 'refuse'],
  ])('%s', (_what, spec, needed) => {
    expect(neededAfterUntrusted(tool(spec), {}, read)).toBe(needed);
    expect(neededAfterUntrusted(tool(spec), {}, nothingRead)).toBe('allow');
  });

  test('fails if its tool answers nothing (R193)', () => {
    const silent = tool({ afterUntrusted: () => undefined as never });
    expect(() => neededAfterUntrusted(silent, {}, read)).toThrow('"afterUntrusted" must return "allow", "approve"');
  });
});
