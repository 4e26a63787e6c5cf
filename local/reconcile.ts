/**
 * `npx vigil reconcile`: compares the table with Step Functions now, and prints one line for each row that it starts again, ends or sends.
 *
 *     npx vigil reconcile [--dry-run] [--restored-at <time>] [--function <name>]
 *
 * Without `--function` it asks the local cloud that runs on this machine; with it, AWS, by the usual credentials.
 */
import { parseArgs } from 'node:util';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

export interface Options {
  dryRun?: boolean;
  restoredAt?: string;
}

interface Answer {
  checked: number;
  actions: { does: keyof typeof words; conversationId?: string; id: string; because: string }[];
  failed: { id: string; error: string }[];
  cursor?: string;
}

const words = {
  renew: 'start again',
  settle: 'end',
  act: 'do',
  schedule: 'schedule',
  delete: 'delete',
  embed: 'embed',
};

/**
 * Invokes Reconcile until it has checked all rows, and prints what it did.
 *
 * @returns whether all rows could be checked.
 */
export async function reconcileAll(
  invoke: (request: object) => Promise<unknown>,
  { dryRun, restoredAt }: Options,
  print: (line: string) => void,
): Promise<boolean> {
  const sums = { checked: 0, changed: 0, failed: 0 };
  let cursor: string | undefined;
  do {
    const answer = (await invoke({ dryRun, restoredAt, cursor })) as Answer;
    for (const { does, conversationId, id, because } of answer.actions)
      print(
        `${dryRun ? 'would ' : ''}${words[does]} ${id}${conversationId ? ` of ${conversationId}` : ''}: ${because}`,
      );
    for (const { id, error } of answer.failed) print(`could not check ${id}: ${error}`);
    sums.checked += answer.checked;
    sums.changed += answer.actions.length;
    sums.failed += answer.failed.length;
    cursor = answer.cursor;
  } while (cursor);
  const did = dryRun ? 'would change' : 'changed';
  print(`Checked ${sums.checked} runs and timers, ${did} ${sums.changed}, could not check ${sums.failed}.`);
  return sums.failed === 0;
}

/**
 * Does what the command line says. @throws Error in one line for invalid options, and if nothing answers.
 *
 * @returns whether all rows could be checked.
 */
export async function reconcile(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      'dry-run': { type: 'boolean', default: false },
      'restored-at': { type: 'string' },
      function: { type: 'string' },
    },
  });
  const { FunctionName, ...settings } = values.function
    ? { FunctionName: values.function }
    : await reconcileOfLocalCloud();
  const lambda = new LambdaClient(settings);
  const invoke = async (request: object) => {
    const { Payload, FunctionError } = await lambda.send(
      new InvokeCommand({ FunctionName, Payload: JSON.stringify(request) }),
    );
    const answer = JSON.parse(Buffer.from(Payload!).toString()) as { errorMessage?: string };
    if (FunctionError) throw new Error(answer.errorMessage);
    return answer;
  };
  const restoredAt = values['restored-at'];
  const options = { dryRun: values['dry-run'], restoredAt: restoredAt && momentOf(restoredAt) };
  return reconcileAll(invoke, options, (line) => console.log(line));
}

function momentOf(time: string): string {
  const moment = new Date(time);
  if (Number.isNaN(moment.getTime()))
    throw new Error(`--restored-at is "${time}": use a time such as 2026-11-23T08:00:00Z.`);
  return moment.toISOString();
}

async function reconcileOfLocalCloud() {
  const { outputs, stack: _, ...settings } = await localCloud('name the function with --function');
  return { FunctionName: outputs.ReconcileFunctionName, ...settings };
}

/**
 * Returns the outputs of the local cloud that runs on this machine, and how its AWS is reached.
 *
 * @param or what to do instead of starting it.
 * @throws Error in one line if none answers.
 */
export async function localCloud(or: string) {
  const port = process.env.PORT ?? '3000';
  const health = await fetch(`http://127.0.0.1:${port}/_local/health`).catch(() => undefined);
  if (!health?.ok) throw new Error(`No local cloud answers on port ${port}: start Vigil, or ${or}.`);
  const { outputs, awsUrl, region, stack } = (await health.json()) as {
    outputs: Record<string, string>;
    awsUrl: string;
    region: string;
    stack: string;
  };
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return { outputs, stack, endpoint: awsUrl, region, credentials };
}

if (require.main === module)
  reconcile(process.argv.slice(2)).then(
    (isWhole) => {
      if (!isWhole) process.exitCode = 1;
    },
    (error: Error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
