import { pending } from '../../../local/pending';
import { segmentOf } from '../../../test/support/segment-of';
import { scriptedLoop } from '../../../test/support/stories/scripted-step';
import { look, nap, testAgent } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import type { LoopInput } from '../../base/state/loop-state';
import type { ModelRequest, Reply } from '../../conversations/agent/model';
import { registry } from '../../conversations/agent/registry';
import type { Tool } from '../../conversations/agent/tool';
import { cancelRun } from '../../conversations/conversation/cancel';
import { sendMessage } from '../../conversations/conversation/send-message';
import { createConversation } from '../../conversations/runs/conversation';
import { readMeta } from '../../conversations/store/table';
import { viewConversation } from '../../people/views/view';
import { advance } from './advance';

const agent = testAgent('tester', { tools: [look, nap], limits: { steps: 3 } });
const call = (name: string, args: object = {}): Reply => ({
  text: '',
  toolCalls: [{ id: 'c', name, arguments: JSON.stringify(args) }],
});

type Said = (asked: ModelRequest) => Promise<Reply>;

describe('one step of the loop', () => {
  const table = tableOfTests();
  let time = new Date('2026-03-01T08:00:00Z');
  let serial = 0;
  beforeEach(() => {
    time = new Date('2026-03-01T08:00:00Z');
  });

  async function given() {
    const id = `a${++serial}`;
    const { meta } = await createConversation(table, { id, user: 'ada', agent: 'tester', text: 'Hello' }, time);
    return { id, input: segmentOf(meta)!.input as LoopInput };
  }
  /** Invokes CallModel in a fresh process. */
  const invoke = (input: LoopInput, reply: Reply | Said, tools: Tool[] = [look, nap]) => {
    const said = typeof reply === 'function' ? reply : async () => reply;
    return advance(scriptedLoop({ table, registry: registry([{ ...agent, tools }]), now: () => time }, said), input);
  };

  test('an attempt whose step another one has taken over is retried, and finds what that one stored', async () => {
    const { id, input } = await given();
    const first = invoke(input, async () => {
      // While this invocation waits for its model, a late one takes over the step and finishes it.
      expect(await invoke(input, call('look'))).toMatchObject({ next: 'tool:look' });
      return { text: 'Too late.', toolCalls: [] };
    });
    await expect(first).resolves.toMatchObject({ next: 'tool:look' });
    expect((await viewConversation(table, id, 'ada')).messages).toHaveLength(2);
  });

  test('a whole reply that comes after the stop of its run is counted, once (R112, R162)', async () => {
    const { id, input } = await given();
    const said = async () => {
      await cancelRun(table, new Map(), { conversationId: id, user: 'ada' }, time);
      return { text: 'Too late.', toolCalls: [] };
    };
    await expect(invoke(input, said)).resolves.toMatchObject({ next: 'done' });
    const used = async () => (await readMeta(table, id))!.run!.usage.modelCalls;
    expect(await used()).toBe(1);
    // Step Functions did not get the answer.
    await expect(invoke(input, said)).resolves.toMatchObject({ next: 'done' });
    expect(await used()).toBe(1);
    expect((await viewConversation(table, id, 'ada')).messages[1]).toMatchObject({ text: '', status: 'cancelled' });
  });

  test('an attempt whose step is taken over does not end the execution while the other attempt runs', async () => {
    const { input } = await given();
    const [asked, finished] = [pending<void>(), pending<void>()];
    let late: Promise<unknown> = Promise.resolve();
    const first = invoke(input, async () => {
      late = invoke(input, async () => {
        asked.resolve();
        await finished.promise;
        return { text: 'Mine.', toolCalls: [] };
      });
      await asked.promise;
      return { text: 'Not mine.', toolCalls: [] };
    });
    await expect(first).rejects.toMatchObject({ name: 'Superseded' });
    finished.resolve();
    await late;
    expect(await invoke(input, { text: 'Never said.', toolCalls: [] })).toMatchObject({ next: 'done' });
  });

  test.each([
    ['without a state', 'NoSuchTool', 'The tool "look" is not part of this deployment.'],
    ['whose function was replaced', 'Lambda.ResourceNotFoundException', 'Its function is not part of this deployment.'],
    ['that the role may not invoke any more', 'Lambda.AWSLambdaException', 'Its function could not be invoked.'],
  ])('a tool %s is tried in one new segment, and then reported as missing (R167)', async (_, name, told) => {
    const { id, input } = await given();
    const first = await invoke(input, call('look'));
    const error = { Error: name, Cause: 'Function not found: arn:aws:lambda:eu-west-1:123456789012:function:Look' };
    const handed = await invoke({ ...first, error }, call('look'));
    expect(handed).toMatchObject({ next: 'continue', segment: 2 });
    const again = await invoke({ ...input, segment: 2, step: 1 }, call('look'));
    expect(again).toMatchObject({ next: 'tool:look', segment: 2 });
    expect(await invoke({ ...again, error }, { text: 'Pity.', toolCalls: [] })).toMatchObject({ next: 'done' });
    expect((await viewConversation(table, id, 'ada')).calls[0]).toMatchObject({
      status: 'failed',
      error: told,
    });
  });

  test('a tool that a deployment removed while its call was on the way fails, and the run goes on (R167)', async () => {
    const { id, input } = await given();
    const first = await invoke(input, call('look'));
    const error = { Error: 'Lambda.ResourceNotFoundException', Cause: 'Function not found' };
    const { next } = await invoke({ ...first, error }, { text: 'Pity.', toolCalls: [] }, [nap]);
    expect(next).toBe('done');
    expect((await viewConversation(table, id, 'ada')).calls[0]).toMatchObject({
      status: 'failed',
      error: 'The tool "look" is not part of this deployment.',
    });
  });

  test('an agent that a deployment removed: the step fails with the reason, and the next message goes to the entry agent (R69)', async () => {
    const { id, input } = await given();
    const team = registry([{ ...agent, handOffs: ['back'] }, testAgent('back')]);
    const now = () => time;
    const handOff = async () => call('hand_off_to_back', { reason: 'Closer.' });
    const next = await advance(scriptedLoop({ table, registry: team, now }, handOff), input);
    expect((await readMeta(table, id))!.agent).toBe('back');
    await expect(invoke(next, { text: 'Never.', toolCalls: [] })).rejects.toThrow(
      'The agent "back" is no longer deployed. The next message goes to "tester".',
    );
    expect((await readMeta(table, id))!.agent).toBe('tester');
  });

  test('a deployment’s limit of steps counts in place of the agent’s, and the reason says so (R9)', async () => {
    const { id, input } = await given();
    const loop = { table, registry: registry([agent]), now: () => time, limits: { steps: 2 } };
    let output: LoopInput = input;
    for (let step = 0; step < 2; step++)
      output = await advance(
        scriptedLoop(loop, async () => ({ text: '', toolCalls: [] })),
        output,
      );
    expect(
      await advance(
        scriptedLoop(loop, async () => ({ text: 'Never.', toolCalls: [] })),
        output,
      ),
    ).toMatchObject({
      next: 'done',
    });
    const { status, reason } = await viewConversation(table, id, 'ada');
    expect([status, reason]).toEqual(['limited', 'The limit of 2 steps for one run is reached.']);
  });

  test('a segment that is nearly a year old hands over, whatever it waited for', async () => {
    const { input } = await given();
    const first = await invoke(input, { text: '', toolCalls: [] });
    time = new Date('2027-01-10T08:00:00Z');
    expect(await invoke(first, { text: 'Hi.', toolCalls: [] })).toMatchObject({
      next: 'continue',
      segment: 2,
      step: 1,
    });
  });

  test('each message resets the step limit: none is left unread, and the limit ends no sleep (R9)', async () => {
    const { id, input } = await given();
    let output: LoopInput = input;
    for (let step = 0; step < 2; step++) output = await invoke(output, { text: '', toolCalls: [] });
    output = await invoke(output, call('nap', { at: '2026-04-01T08:00:00Z' }));
    expect(output).toMatchObject({ next: 'wait', step: 3 });
    const { meta } = await sendMessage(table, new Map(), id, { user: 'ada', text: 'Are you there?' }, time);
    const woken = segmentOf(meta)!.input;
    expect(woken).toMatchObject({ segment: 2, step: 3 });
    const back = await invoke(woken, { ...call('nap', { at: '2026-04-01T08:00:00Z' }), text: 'Yes.' });
    expect(back).toMatchObject({ next: 'wait', step: 4 });
    expect((await readMeta(table, id))!.status).toBe('sleeping');
  });
});
