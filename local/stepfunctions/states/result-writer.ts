import type { Branch, ChildRun, Children, Writing } from '../interpreter/execution';
import { jsonText } from '../interpreter/history';
import type { Transition } from '../interpreter/transition';
import type { Json, JsonObject } from '../language/json';
import { compileQuery } from '../language/jsonata-template';
import { compileTemplate } from '../language/payload-template';
import type { Scope } from '../language/scope';
import type { Steps } from '../language/steps';
import { formatTimestamp } from '../language/timestamp';
import { parseResource, type TaskResource } from './task-resource';

export interface ResultWriter {
  /** Where the results go; undefined where they are only transformed. */
  readonly resource: TaskResource | undefined;
  /** The state's result, and the objects to write first. */
  results(transition: Transition, branch: Branch, children: Children, scope: Scope): Steps<Writing>;
}

/** ResultWriter: gives a distributed map's results another form, and writes them to S3. */
export function compileWriter(fields: JsonObject, jsonata: boolean, label: string): ResultWriter {
  const config = (fields.WriterConfig as JsonObject | undefined) ?? {};
  const lines = config.OutputType === 'JSONL';
  const transformation = String(config.Transformation ?? 'NONE');
  const source = (jsonata ? fields.Arguments : fields.Parameters) ?? {};
  const query = jsonata ? compileQuery(source, 'ResultWriter/Arguments') : undefined;
  const template = jsonata ? undefined : compileTemplate(source);
  const resource = typeof fields.Resource === 'string' ? parseResource(fields.Resource) : undefined;
  return {
    resource,
    *results(transition, branch, children, scope) {
      const runs = children.runs ?? [];
      const tell = (run: ChildRun) => description(transition, run, label);
      const succeeded = transformed(
        transformation,
        runs.filter(({ failure }) => !failure),
        tell,
      );
      const failed = runs.filter(({ failure }) => failure).map(tell);
      if (resource === undefined) return { result: [...succeeded, ...failed], objects: [] };
      const { Bucket = '', Prefix = '' } = (query ? yield* query(scope) : template!(scope)) as JsonObject;
      const { arn } = branch.mapRun!;
      const folder = `${String(Prefix).replace(/([^/])$/, '$1/')}${arn.split(':').pop()}`;
      return exported(String(Bucket), folder, arn, { SUCCEEDED: succeeded, FAILED: failed }, lines);
    },
  };
}

/** "FLATTEN … If a child workflow execution returns an array, this option flattens the array" */
function transformed(transformation: string, runs: ChildRun[], tell: (run: ChildRun) => Json): Json[] {
  if (transformation === 'NONE') return runs.map(tell);
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
function description(transition: Transition, { input, output, failure, start, stop }: ChildRun, label: string): Json {
  const { stateMachineArn } = transition.execution.identity;
  const name = transition.random.uuid();
  const status = failure ? 'FAILED' : 'SUCCEEDED';
  return {
    ...(failure?.cause !== undefined && { Cause: failure.cause }),
    ...(failure?.error !== undefined && { Error: failure.error }),
    ExecutionArn: `${stateMachineArn.replace(':stateMachine:', ':execution:')}/${label}:${name}`,
    Input: jsonText(input),
    InputDetails: { Included: true },
    Name: name,
    ...(output !== undefined && { Output: jsonText(output), OutputDetails: { Included: true } }),
    RedriveCount: 0,
    ...(failure
      ? { RedriveStatus: 'REDRIVABLE' }
      : { RedriveStatus: 'NOT_REDRIVABLE', RedriveStatusReason: 'Execution is SUCCEEDED and cannot be redriven' }),
    StartDate: formatTimestamp(start),
    StateMachineArn: `${stateMachineArn}/${label}`,
    Status: status,
    StopDate: formatTimestamp(stop ?? start),
  };
}
