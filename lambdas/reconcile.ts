import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SFNClient } from '@aws-sdk/client-sfn';
import * as z from 'zod';
import { shipped } from '../agents';
import { InvalidInput } from '../core/base/text/errors';
import { problemsIn } from '../core/base/text/problems';
import { sideBySide } from '../core/base/time/side-by-side';
import { keepProgress, type OpenRow, readOpenRows, readProgress } from '../core/machines/reconcile/sweep';
import { modules } from '../modules/reconcile';
import { tableOfDeployment } from '../runtime/environment';
import { filesOfDeployment } from '../runtime/file-store';
import { log, logged, withFields } from '../runtime/log';
import { count } from '../runtime/metrics';
import { embedByEmbed } from './ask-embed';
import { cancelByFunctions } from './executions';
import type { Swept } from './reconcile/module';
import { type Action, type Reconciling, reconcileRow } from './reconcile/reconcile-row';

const table = tableOfDeployment();
/** It waits when Step Functions throttles, instead of failing. */
const stepFunctions = new SFNClient({ retryMode: 'adaptive', maxAttempts: 6 });
const cancelElsewhere = cancelByFunctions(new LambdaClient({}));
const embed = embedByEmbed(new LambdaClient({}));
const files = filesOfDeployment();
const tables = new DynamoDBClient({});

/** From EventBridge, hourly and after a deployment, or from `npx vigil reconcile`. */
const Request = z.object({
  source: z.string().optional(),
  dryRun: z.boolean().optional(),
  /** The time at which the rows were put back, if not by a restore into a new table. */
  restoredAt: z.iso.datetime().optional(),
  cursor: z.string().optional(),
});

const rowsAtOnce = 100;
/** DescribeExecution is limited to 15 a second after the first 300, for the whole account. */
const rowsSideBySide = 4;
/** The schedule's sweep has the function's timeout; a person gets an answer sooner, and asks again. */
const budgetMs = { scheduled: 12 * 60_000, asked: 15_000 };

/** The time for what the code declares, which comes after the sweep's. */
const declaringMs = { scheduled: 60_000, asked: 15_000 };

export interface Reconciled extends Swept {
  checked: number;
  /** There is more: invoke it again with this cursor. */
  cursor?: string;
}

/**
 * Reconcile: compares the table with Step Functions, and starts again what Step Functions has lost. Rows are the truth. On a healthy
 * table it changes nothing. It may run twice, at the same time, and while runs go on.
 *
 * @throws InvalidInput for a field of the request.
 */
export const handler = logged(async (event: unknown): Promise<Reconciled> => {
  const { source, dryRun = false, cursor: from, restoredAt } = parsed(event);
  const isScheduled = source?.startsWith('aws.') === true;
  const now = new Date();
  if (restoredAt && restoredAt > now.toISOString()) throw new InvalidInput('restoredAt', 'use a time in the past');
  const began = performance.now();
  const isTimeLeft = () => performance.now() - began < budgetMs[isScheduled ? 'scheduled' : 'asked'];
  const since = [await createdAt(), restoredAt ?? ''].sort().at(-1)!;
  const context: Reconciling = {
    client: stepFunctions,
    table,
    registry: shipped,
    cancelElsewhere,
    embed,
    files,
    now,
    dryRun,
    restoredAt: since,
  };
  const before = isScheduled ? await readProgress(table) : from;
  const result: Reconciled = { checked: 0, actions: [], failed: [], cursor: before };
  do {
    const page = await readOpenRows(table, result.cursor, rowsAtOnce);
    await reconcileAll(context, page.rows, result);
    result.cursor = page.cursor;
  } while (result.cursor && isTimeLeft());
  if (isScheduled && before !== result.cursor) await keepProgress(table, result.cursor);
  // After the sweep, because it runs code of authors. Once: a person's further requests have a cursor.
  const until = performance.now() + declaringMs[isScheduled ? 'scheduled' : 'asked'];
  if (isScheduled || from === undefined)
    for (const module of modules) await module.declare(context, result, () => performance.now() < until);
  const { checked, failed, actions } = result;
  const counts = { checked, failed: failed.length, actions: actions.length, dryRun };
  count('reconcile', { Repairs: dryRun ? 0 : actions.filter(isRepair).length }, {}, counts);
  return result;
});

/** What was not embedded, for example because the model has changed, was never lost. */
const isRepair = ({ does }: Action): boolean => does !== 'embed';

const reconcileAll = (context: Reconciling, rows: OpenRow[], result: Reconciled): Promise<void> =>
  sideBySide(rows, rowsSideBySide, async (row) => {
    result.checked += 1;
    try {
      const actions = await reconcileRow(context, row);
      result.actions.push(...actions);
      for (const action of actions)
        withFields({ ...action }, () => log.warn(context.dryRun ? 'would repair' : 'repaired'));
    } catch (error) {
      const id = `${row.pk} ${row.sk}`;
      result.failed.push({ id, error: (error as Error).name });
      log.error('reconcile', { id, error: (error as Error).name });
    }
  });

function parsed(event: unknown): z.infer<typeof Request> {
  const request = Request.safeParse(event ?? {});
  if (request.success) return request.data;
  throw new InvalidInput(request.error.issues[0]!.path.join('.'), problemsIn(request.error, 'the request'));
}

/** Returns when the table was created. What began before that began on another one, which this one was restored from. */
async function createdAt(): Promise<string> {
  const { Table } = await tables.send(new DescribeTableCommand({ TableName: table.name }));
  return Table?.CreationDateTime?.toISOString() ?? '';
}
