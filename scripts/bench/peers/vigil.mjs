// Vigil's Step Functions engine in the peers' scenarios: embedded in the app's process, like DBOS and Resonate, with
// its journal on disk (O_DSYNC). A durable step is a Task state whose function runs in this process. Started by run.ts,
// which names the peers' folder and the bundled engine.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { definitions, functions } from './machines.mjs';

const { PEERS_DIR, VIGIL_ENGINE } = process.env;
if (!PEERS_DIR || !VIGIL_ENGINE)
  throw new Error('Start this script with npx tsx scripts/bench/peers/run.ts --peers vigil.');
const C = await import(pathToFileURL(path.join(PEERS_DIR, 'lib/common.mjs')));
const { main } = await import(pathToFileURL(path.join(PEERS_DIR, 'lib/harness.mjs')));

await main(
  {
    name: 'vigil',
    packages: [],
    durability: 'append-only journal, every step on disk (O_DSYNC) before the next one is called, group commit',
    scenarios: ['A', 'B', 'C'],
    hostIsApp: true,
    durable: true,
    dataDirs: (scratch) => [path.join(scratch, 'journal')],
    async engine(scratch) {
      const { movedClock, startStepFunctions } = createRequire(import.meta.url)(VIGIL_ENGINE);
      const clock = movedClock();
      // Only the Wait state sets alarms in these definitions. After a restart, there is one for each sleeping run.
      let alarms = 0;
      const at = clock.at;
      clock.at = (time, wake) => {
        alarms += 1;
        return at(time, wake);
      };
      const ends = new Map();
      const asked = [];
      const serve = functions(C, (token) => asked.shift()?.(token));
      const engine = await startStepFunctions({
        directory: path.join(scratch, 'journal'),
        clock,
        services: {
          invokeLambda: async ({ functionName, payload }) => ({
            payload: JSON.stringify(serve[functionName](JSON.parse(payload)) ?? null),
          }),
        },
        // Called when the end of the run is on disk.
        async onStatusChange({ detail }) {
          if (detail.status === 'RUNNING') return;
          ends.get(detail.name)?.(detail);
          ends.delete(detail.name);
        },
      });
      const call = async (action, parameters) => {
        const { status, body } = await engine.call(action, parameters);
        if (status !== 200) throw new Error(`${action}: ${JSON.stringify(body)}`);
        return body;
      };
      const machines = {};
      for (const [name, definition] of Object.entries(definitions(C))) {
        const roleArn = 'arn:aws:iam::123456789012:role/bench';
        machines[name] = await call('CreateStateMachine', { name, definition: JSON.stringify(definition), roleArn });
      }
      const begin = (machine, name) =>
        call('StartExecution', { stateMachineArn: machines[machine].stateMachineArn, name, input: '{}' });
      const result = async (ended) => {
        const { status, output, cause } = await ended;
        if (status !== 'SUCCEEDED') throw new Error(`${status}: ${cause}`);
        return JSON.parse(output);
      };
      const end = (name) => new Promise((resolve) => ends.set(name, resolve));
      const count = async (statusFilter) => {
        const { stateMachineArn } = machines.sleeper;
        let n = 0;
        let nextToken;
        do {
          const page = await call('ListExecutions', { stateMachineArn, statusFilter, maxResults: 1000, nextToken });
          n += page.executions.length;
          nextToken = page.nextToken;
        } while (nextToken);
        return n;
      };
      return {
        async runAgent(id) {
          const ended = end(id);
          await begin('agent', id);
          const { model, tool } = await result(ended);
          const last = C.ITER - 1;
          if (model.i !== last || tool.i !== last || model.content.length + tool.content.length !== 2 * 452) {
            throw new Error('wrong result');
          }
        },
        startSleeper: (id) => begin('sleeper', id),
        asleep: async (n) => ({
          asleep: alarms < n ? alarms : Math.min(alarms, await count('RUNNING')),
        }),
        done: () => count('SUCCEEDED'),
        async startHuman(id) {
          const token = new Promise((resolve) => asked.push(resolve));
          const ended = end(id);
          await begin('human', id);
          const taskToken = await token;
          await C.delay(5);
          return {
            async answer() {
              await call('SendTaskSuccess', { taskToken, output: '{"answer":"yes"}' });
              if ((await result(ended)).answer !== 'yes') throw new Error('wrong answer');
            },
          };
        },
        close: () => engine.stop(),
      };
    },
  },
  import.meta.url,
);
