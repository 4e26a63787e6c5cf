import { movedClock, type StepFunctions, startStepFunctions } from 'vigil-stepfunctions';
import * as z from 'zod';
import { LoopInput, SegmentInput, ToolRequest } from '../../../core/base/state/loop-state';
import { noUsage } from '../../../core/base/state/schemas';
import { defineAgent } from '../../../core/conversations/agent/agent';
import type { ModelRequest, Reply } from '../../../core/conversations/agent/model';
import { registry } from '../../../core/conversations/agent/registry';
import { defineTool } from '../../../core/conversations/agent/tool';
import { createConversation } from '../../../core/conversations/runs/conversation';
import { LogReader, readLog } from '../../../core/conversations/runs/log';
import { segmentOf } from '../../../core/conversations/runs/run';
import { readMeta } from '../../../core/conversations/store/table';
import { advance } from '../../../core/machines/loop/advance';
import { runTool } from '../../../core/machines/loop/run-tool';
import { settleExecution } from '../../../core/machines/rollback/settle-execution';
import { agentLoop } from '../../../statemachines/agent-loop';
import { agentBurst } from '../../../statemachines/burst';
import { functionId } from '../../../statemachines/function-id';
import type { StateMachineDefinition } from '../../../statemachines/states';
import { startTable } from '../tables/table';

// The loop in bursts of Express executions: the real definitions, in the real engine, on a real table. Functions are called directly.

/** What a story says and sees of the model, the tools and the engine. */
export const world = {
  /** What the model answers, request by request. */
  script: [] as ((request: ModelRequest) => Promise<Reply>)[],
  /** The number of its requests. */
  asked: 0,
  /** What a tool does next, by its name. */
  behaviour: {} as Record<string, (() => Promise<unknown>) | undefined>,
  /** The tools that have run, once for each time. */
  ran: [] as string[],
  /** The inputs of CallModel. */
  steps: [] as LoopInput[],
  /** The names of the errors of functions. */
  errors: [] as string[],
  /** The number of functions that run now. */
  running: 0,
  /** So many bursts are not started. */
  refused: 0,
};
/** The clock of the engine and of the functions. */
export const clock = movedClock();
export const now = () => new Date(clock.now());
export let table: Awaited<ReturnType<typeof startTable>>;
export let engine: StepFunctions;
let serial = 0;

const toolNamed = (name: string, effect: 'read' | 'once' | 'idempotent', timeoutSeconds = 30) =>
  defineTool({
    ...{ name, description: 'd', input: z.object({}), output: z.unknown(), effect, timeoutSeconds },
    retry: { maxAttempts: 1, intervalSeconds: 1, backoffRate: 2, maxDelaySeconds: 60 },
    async execute() {
      world.ran.push(name);
      return (await world.behaviour[name]?.()) ?? 'done';
    },
  });
const nap = defineTool({
  ...{ kind: 'wait', name: 'nap', description: 'd', input: z.object({}) },
  until: (_input, now) => new Date(now.getTime() + 3_600_000),
});
const functions = [toolNamed('look', 'read'), toolNamed('pay', 'once'), toolNamed('ship', 'idempotent')];
const slow = toolNamed('slow', 'idempotent', 290);
export const deployment = registry([
  defineAgent({
    ...{ name: 'tester', purpose: 'p', instructions: 'i', model: 'm', limits: { steps: 500 } },
    tools: [...functions, slow, nap],
  }),
]);
export const tools = [...deployment.tools.values()];
export const calls = (...names: string[]): Reply => ({
  text: '',
  toolCalls: names.map((name, index) => ({ id: `${name}${index}`, name, arguments: '{}' })),
});
export const words = (text: string): Reply => ({ text, toolCalls: [] });
export const [second, minute] = [1_000, 60_000];

export const arnOf = (machine: string) => `arn:aws:states:us-east-1:123456789012:stateMachine:${machine}`;

async function callModel(payload: object) {
  const input = LoopInput.parse(payload);
  world.steps.push(input);
  return advance(
    {
      ...{ table, logs: new LogReader(table), registry: deployment, now, limits: {} },
      deadline: new AbortController().signal,
      until: input.burst && new Date(clock.now() + 5 * minute).toISOString(),
      model: {
        about: () => ({ model: 'm', maker: 'm' }),
        async reply(request) {
          world.asked += 1;
          return {
            ...(await (world.script.shift()?.(request) ?? words('Once more.'))),
            usage: { ...noUsage, modelCalls: 1 },
          };
        },
      },
    },
    input,
  );
}

async function invoke(functionName: string, payload: object): Promise<unknown> {
  const name = functionName.split(':').at(-1)!;
  if (name === 'CallModel') return callModel(payload);
  if (name === 'Settle') {
    const { error } = payload as { error: { Error: string; Cause: string } };
    const at = SegmentInput.parse(payload);
    await settleExecution(table, deployment, at, { by: 'FAILING', reason: error.Cause }, now());
    return error;
  }
  const tool = [...functions, slow].find((one) => functionId(one.name) === name)!;
  return runTool({ table, now }, tool, ToolRequest.parse(payload));
}

/** Starts the table and the engine, with the machines AgentBurst, AgentLoop, and LostAnswer, which waits 20 s for a burst. */
export async function startWorld(): Promise<void> {
  table = await startTable();
  engine = await startStepFunctions({
    clock,
    services: {
      async invokeLambda({ functionName, payload }) {
        world.running += 1;
        try {
          return { payload: JSON.stringify((await invoke(functionName, JSON.parse(payload))) ?? null) };
        } catch (error) {
          const { name, message } = error as Error;
          world.errors.push(name);
          return { payload: JSON.stringify({ errorType: name, errorMessage: message }), functionError: 'Unhandled' };
        } finally {
          world.running -= 1;
        }
      },
    },
    authorize({ action }) {
      if (action !== 'states:StartSyncExecution' || world.refused === 0) return;
      world.refused -= 1;
      throw new Error('Rate exceeded');
    },
  });
  await create('AgentBurst', agentBurst(tools), 'EXPRESS');
  await create('AgentLoop', agentLoop(tools, 'express'), 'STANDARD');
  const impatient = agentLoop(tools, 'express');
  Object.assign(impatient.States.Burst!, { TimeoutSeconds: 20 });
  await create('LostAnswer', impatient, 'STANDARD');
}

export async function stopWorld(): Promise<void> {
  await engine.stop();
  await table.stop();
  clock.stop();
}

/** Forgets what the last story has said and seen. */
export function newStory(): void {
  Object.assign(world, { script: [], asked: 0, behaviour: {}, ran: [], steps: [], errors: [], running: 0, refused: 0 });
}

export const roleArn = 'arn:aws:iam::123456789012:role/r';
/** Writes a definition with its ARNs. `burst` is the name of the Express machine. */
export const filled = (definition: object, burst = 'AgentBurst'): string =>
  JSON.stringify(definition).replace(/\$\{(\w+)\}/g, (_all, name: string) =>
    name === 'AgentBurst' ? arnOf(burst) : `arn:aws:lambda:us-east-1:123456789012:function:${name}`,
  );
export async function create(
  name: string,
  definition: StateMachineDefinition,
  type: string,
  burst?: string,
): Promise<void> {
  const created = { name, roleArn, type, definition: filled(definition, burst) };
  expect(await engine.call('CreateStateMachine', created)).toMatchObject({ status: 200 });
}

/** Starts a conversation and the execution of its run. */
export async function started(machine = 'AgentLoop') {
  const id = `b${++serial}`;
  const { meta } = await createConversation(table, { id, user: 'ada', agent: 'tester', text: 'Hello' }, now());
  const { name, input } = segmentOf(meta)!;
  const { body } = await engine.call('StartExecution', {
    stateMachineArn: arnOf(machine),
    name,
    input: JSON.stringify(input),
  });
  const { executionArn } = body as { executionArn: string };
  const look = async () =>
    (await engine.call('DescribeExecution', { executionArn })).body as {
      status: string;
      error?: string;
      cause?: string;
    };
  return {
    ...{ id, executionArn, look },
    run: async () => (await readMeta(table, id))!.run!,
    log: () => readLog(table, id),
    async states() {
      const { body: history } = await engine.call('GetExecutionHistory', { executionArn, maxResults: 1_000 });
      const { events } = history as { events: { stateEnteredEventDetails?: { name: string } }[] };
      return events.flatMap(({ stateEnteredEventDetails: entered }) => entered?.name ?? []);
    },
    /** Waits for the end. */
    async ended(wait = until) {
      await wait(async () => (await look()).status !== 'RUNNING');
      return look();
    },
  };
}

export const soon = () => new Promise((resolve) => setTimeout(resolve, 5));
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await soon();
}

/** Moves the clock, for the pauses between attempts, while no function runs. */
export async function moving(holds: () => boolean | Promise<boolean>): Promise<void> {
  await until(async () => {
    if (await holds()) return true;
    if (world.running <= 0) clock.advance(5 * second);
    return false;
  });
}

export const replies = (...list: Reply[]) => list.map((reply) => async () => reply);
