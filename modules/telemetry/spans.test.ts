import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawnTelemetry } from '../../test/support/draw-telemetry';
import { storedCall, storedRun } from '../../test/support/page/rows';
import { providerName } from './conventions';
import { factOf } from './facts';

const at = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds)).toISOString();

test('docs/telemetry.md shows a trace and its attributes as they are made (R239)', () => {
  const page = readFileSync(join(__dirname, '../../docs/telemetry.md'), 'utf8');
  // Otherwise: npx tsx test/support/draw-pictures.ts
  expect(page).toBe(drawnTelemetry(page));
});

test.each([
  [undefined, 'openai'],
  [{ kind: 'openai', name: 'azure' }, 'azure.ai.openai'],
  [{ kind: 'chat', name: 'mistral' }, 'mistral_ai'],
  [{ kind: 'chat', name: 'deepseek' }, 'deepseek'],
  [{ kind: 'chat', name: 'in-house' }, 'in-house'],
  [{ kind: 'anthropic', name: 'claude' }, 'anthropic'],
  [{ kind: 'bedrock', name: 'aws' }, 'aws.bedrock'],
])('the provider %j is %s by the conventions (R239)', (provider, name) => {
  expect(providerName(provider)).toBe(name);
});

describe('a fact is made of a change once, and again of the same change (R239)', () => {
  const of = { conversationId: 'c' };
  const message = {
    seq: 2,
    version: 3,
    role: 'assistant',
    author: 'reminder',
    text: 'Hi',
    runId: 'r',
    step: 1,
    attempt: 1,
    createdAt: at(1),
    completedAt: at(3),
    status: 'complete',
    usage: { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, costMicrodollars: 0 },
  };
  const ofMessage = (row: object, before?: object) => factOf({ ...of, sk: 'M#0000000002', row, before });

  test('of a reply that is complete', () => {
    const fact = ofMessage(message, { ...message, status: 'streaming' });
    expect(fact).toMatchObject({
      kind: 'chat',
      segment: 1,
      agent: 'reminder',
      startedAt: at(1),
      endedAt: at(3),
      calls: 0,
    });
    expect(JSON.stringify(fact)).not.toContain('Hi');
    expect(ofMessage(message, { ...message, status: 'streaming' })).toEqual(fact);
    expect(ofMessage({ ...message, attempt: 2, attemptAt: at(2), trace: { segment: 3 } })).toMatchObject({
      attempt: 2,
      startedAt: at(2),
      segment: 3,
    });
  });

  test('and not of one that was before, of a copy, of a person’s message, or where no model was asked', () => {
    expect(ofMessage({ ...message, version: 4 }, message)).toBeUndefined();
    expect(ofMessage({ ...message, copiedFrom: 'other' })).toBeUndefined();
    expect(ofMessage({ ...message, status: 'streaming' })).toBeUndefined();
    expect(
      ofMessage({ ...message, role: 'user', runId: undefined, step: undefined, attempt: undefined }),
    ).toBeUndefined();
    expect(ofMessage({ ...message, usage: { ...message.usage, modelCalls: 0 } })).toBeUndefined();
  });

  const run = (more: object = {}) =>
    storedRun('r', 'running', at(0), { usage: message.usage, lastRead: { seq: 1, step: 0 }, ...more });
  const meta = (more: object = {}) => ({
    conversationId: 'c',
    version: 1,
    owner: 'user:ada',
    title: '',
    agent: 'reminder',
    entry: 'reminder',
    status: 'running',

    createdAt: at(0),
    updatedAt: at(9),
    lastSeq: 2,
    lastUserSeq: 1,
    pending: [],
    runs: 1,
    earlierUsage: message.usage,
    run: run(more),
  });
  const ofMeta = (row: object, before?: object) => factOf({ ...of, sk: 'META', row, before });

  test('of a segment: the run ends, fails, goes on in the next one, or the next run begins', () => {
    const is = (more: object, before: object = {}) => ofMeta(meta(more), meta(before));
    expect(is({ status: 'done' })).toMatchObject({
      kind: 'segment',
      segment: 1,
      status: 'done',
      startedAt: at(0),
      endedAt: at(9),
    });
    expect(is({ status: 'failed' })).toMatchObject({ status: 'failed' });
    expect(is({ segment: 2, segmentStartedAt: at(5) })).toMatchObject({
      segment: 1,
      status: 'continued',
      endedAt: at(5),
    });
    expect(is({ id: 'r2', segment: 1 })).toMatchObject({ runId: 'r', status: 'done' });
    expect(is({ id: 'r2', segment: 1 }, { status: 'cancelling' })).toMatchObject({ runId: 'r', status: 'cancelled' });
    // A retry: the segment that failed has had its fact.
    expect(is({ segment: 2 }, { status: 'failed' })).toBeUndefined();
    expect(is({ step: 2 })).toBeUndefined();
    expect(ofMeta(meta({ status: 'done' }))).toBeUndefined();
  });

  test('of a call that has its outcome, and of one that was undone', () => {
    const call = storedCall('r.00001.00', at(1), {
      version: 2,
      tool: 'pay',
      status: 'completed',
      attempts: 1,
      arguments: '{"to":"Bo"}',
      result: '{}',
      modelCallId: 'k',
      startedAt: at(2),
      attemptAt: at(2),
      completedAt: at(3),
    });
    const is = (row: object, before?: object) => factOf({ ...of, sk: 'CALL#r.00001.00', row, before });
    const fact = is(call, { ...call, status: 'running' });
    expect(fact).toMatchObject({
      kind: 'call',
      status: 'completed',
      calledAt: at(1),
      startedAt: at(2),
      endedAt: at(3),
    });
    expect(JSON.stringify(fact)).not.toContain('Bo');
    expect(is({ ...call, version: 3 }, call)).toBeUndefined();
    expect(is({ ...call, status: 'undone', undoneAt: at(8) }, call)).toMatchObject({
      status: 'undone',
      startedAt: at(8),
      endedAt: at(8),
    });
    expect(is({ ...call, status: 'waiting' })).toBeUndefined();
  });
});
