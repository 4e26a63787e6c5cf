import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type MovedClock, movedClock } from '../src/clock/moved-clock';
import {
  type ExecutionStatusChange,
  type StepFunctions,
  type StepFunctionsOptions,
  startStepFunctions,
} from '../src/start';

export type Body = Record<string, string>;

export const roleArn = 'arn:aws:iam::123456789012:role/r';
export const functionArn = (name: string) => `arn:aws:lambda:us-east-1:123456789012:function:${name}`;
export const machine = (states: object) => JSON.stringify({ StartAt: Object.keys(states)[0], States: states });

/** What a test asks its engine. */
class Asked {
  clock: MovedClock = movedClock();
  engine!: StepFunctions;
  private created = 0;

  readonly call = async (action: string, body: object): Promise<Body> => {
    const { status, body: answered } = await this.engine.call(action, body);
    if (status !== 200) throw new Error(JSON.stringify(answered));
    return answered as Body;
  };

  readonly create = async (name: string, definition: string): Promise<string> =>
    (await this.call('CreateStateMachine', { name, definition, roleArn })).stateMachineArn!;

  readonly begin = async (stateMachineArn: string, name?: string, input = '{}'): Promise<string> =>
    (await this.call('StartExecution', { stateMachineArn, name, input })).executionArn!;

  /** Starts an execution of a new state machine. */
  readonly play = async (states: object, input?: string): Promise<string> => {
    this.created += 1;
    return this.begin(await this.create(`m${this.created}`, machine(states)), undefined, input);
  };

  /** The types of the execution's events. */
  readonly types = async (executionArn: string): Promise<string[]> => {
    const { events } = (await this.call('GetExecutionHistory', { executionArn })) as unknown as {
      events: { type: string }[];
    };
    return events.map(({ type }) => type);
  };

  readonly until = async (what: () => Promise<boolean> | boolean): Promise<void> => {
    for (let i = 0; i < 300; i += 1) {
      if (await what()) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('did not come true');
  };

  /** Waits for the end of an execution, and describes it. */
  readonly ended = async (executionArn: string): Promise<Body> => {
    let described: Body = {};
    await this.until(async () => {
      described = await this.call('DescribeExecution', { executionArn });
      return described.status !== 'RUNNING';
    });
    return described;
  };
}

/** One engine in memory for all tests of a file. Its functions answer with their input, unless the options name others. */
export class SharedEngine extends Asked {
  constructor(options: Partial<StepFunctionsOptions> = {}) {
    super();
    beforeAll(async () => {
      const services = { invokeLambda: async ({ payload }: { payload: string }) => ({ payload }) };
      this.engine = await startStepFunctions({ clock: this.clock, services, ...options });
    });
    afterAll(async () => {
      await this.engine.stop();
      this.clock.stop();
    });
  }
}

/** An engine on a separate folder for each test of a file, with a clock and functions that the test controls. */
export class EngineFixture extends Asked {
  directory = '';
  invoked: string[] = [];
  events: ExecutionStatusChange['detail'][] = [];
  /** Returns the answer of a function; undefined leaves it at work for ever. */
  answer: (name: string, payload: string) => string | undefined = (_name, payload) => payload;

  constructor() {
    super();
    beforeEach(async () => {
      this.directory = fs.mkdtempSync(path.join(os.tmpdir(), 'vigil-engine-'));
      this.clock = movedClock();
      this.invoked = [];
      this.events = [];
      this.answer = (_name, payload) => payload;
      await this.start();
    });
    afterEach(async () => {
      await this.engine.stop();
      this.clock.stop();
      fs.rmSync(this.directory, { recursive: true });
    });
  }

  private async start(options: { segmentSize?: number } = {}): Promise<void> {
    this.engine = await startStepFunctions({
      directory: this.directory,
      clock: this.clock,
      services: {
        invokeLambda: async ({ functionName, payload }) => {
          const name = functionName.split(':').at(-1)!;
          this.invoked.push(name);
          const answered = this.answer(name, payload);
          return answered === undefined ? new Promise(() => undefined) : { payload: answered };
        },
      },
      onStatusChange: async ({ detail }) => void this.events.push(detail),
      ...options,
    });
  }

  readonly restart = async (options?: { segmentSize?: number }): Promise<void> => {
    await this.engine.stop();
    await this.start(options);
  };
}
