import type { Branch, ChildRun, Children, Writing } from '../../execution/execution';
import { parseResource, type TaskResource } from '../../execution/task-resource';
import { type Json, type JsonObject, jsonText } from '../../language/json';
import { compileQuery } from '../../language/jsonata/jsonata-template';
import { compileTemplate } from '../../language/payload-template';
import type { Scope } from '../../language/scope';
import type { Steps } from '../../language/steps';
import { formatTimestamp } from '../../language/timestamp';

export interface ResultWriter {
  /** The resource that takes the results; undefined if they are only transformed. */
  readonly resource: TaskResource | undefined;
  /** The state's result, and the objects to write first. */
  results(branch: Branch, children: Children, scope: Scope): Steps<Writing>;
}

/** ResultWriter: gives a distributed map's results another form, and writes them to S3. */
export function compileWriter(fields: JsonObject, jsonata: boolean): ResultWriter {
  const config = (fields.WriterConfig as JsonObject | undefined) ?? {};
  const lines = config.OutputType === 'JSONL';
  const transformation = String(config.Transformation ?? 'NONE');
  const source = (jsonata ? fields.Arguments : fields.Parameters) ?? {};
  const query = jsonata ? compileQuery(source, 'ResultWriter/Arguments') : undefined;
  const template = jsonata ? undefined : compileTemplate(source);
  const resource = typeof fields.Resource === 'string' ? parseResource(fields.Resource) : undefined;
  return {
    resource,
    *results(branch, children, scope) {
      const runs = children.runs ?? [];
      const succeeded = transformed(
        transformation,
        runs.filter(({ failure }) => !failure),
      );
      const failed = runs.filter(({ failure }) => failure).map(description);
      if (resource === undefined) return { result: [...succeeded, ...failed], objects: [] };
      const { Bucket = '', Prefix = '' } = (query ? yield* query(scope) : template!(scope)) as JsonObject;
      const { arn } = branch.mapRun!;
      const folder = `${String(Prefix).replace(/([^/])$/, '$1/')}${arn.split(':').pop()}`;
      return exported(String(Bucket), folder, arn, { SUCCEEDED: succeeded, FAILED: failed }, lines);
    },
  };
}

/** "FLATTEN … If a child workflow execution returns an array, this option flattens the array" */
function transformed(transformation: string, runs: ChildRun[]): Json[] {
  if (transformation === 'NONE') return runs.map(description);
  const outputs = runs.map(({ output }) => output ?? null);
  return transformation === 'FLATTEN' ? outputs.flat() : outputs;
}

/** One object for each status that there is, and a manifest that names them. */
function exported(
  bucket: string,
  folder: string,
  mapRunArn: string,
  results: Record<'SUCCEEDED' | 'FAILED', Json[]>,
  lines: boolean,
): Writing {
  const files: Record<string, Json[]> = { FAILED: [], PENDING: [], SUCCEEDED: [] };
  const objects: JsonObject[] = [];
  for (const [status, list] of Object.entries(results)) {
    if (list.length === 0) continue;
    const body = lines ? list.map(jsonText).join('\n') : jsonText(list);
    const key = `${folder}/${status}_0.${lines ? 'jsonl' : 'json'}`;
    objects.push({ Bucket: bucket, Key: key, Body: body });
    files[status]!.push({ Key: key, Size: Buffer.byteLength(body) });
  }
  const key = `${folder}/manifest.json`;
  const manifest = { DestinationBucket: bucket, MapRunArn: mapRunArn, ResultFiles: files };
  objects.push({ Bucket: bucket, Key: key, Body: jsonText(manifest) });
  return { objects, result: { MapRunArn: mapRunArn, ResultWriterDetails: { Bucket: bucket, Key: key } } };
}

/** A child execution as DescribeExecution would tell of it. */
function description({ own, output, failure, stop }: ChildRun): Json {
  const status = failure ? 'FAILED' : 'SUCCEEDED';
  return {
    ...(failure?.cause !== undefined && { Cause: failure.cause }),
    ...(failure?.error !== undefined && { Error: failure.error }),
    ExecutionArn: own.arn,
    Input: jsonText(own.input),
    InputDetails: { Included: true },
    Name: own.name,
    ...(output !== undefined && { Output: jsonText(output), OutputDetails: { Included: true } }),
    RedriveCount: 0,
    ...(failure
      ? { RedriveStatus: 'REDRIVABLE' }
      : { RedriveStatus: 'NOT_REDRIVABLE', RedriveStatusReason: 'Execution is SUCCEEDED and cannot be redriven' }),
    StartDate: formatTimestamp(own.startTime),
    StateMachineArn: own.stateMachineArn,
    Status: status,
    StopDate: formatTimestamp(stop ?? own.startTime),
  };
}
