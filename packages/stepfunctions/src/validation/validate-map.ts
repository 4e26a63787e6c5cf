import { parseResource } from '../execution/task-resource';
import { isObject, type JsonObject } from '../language/json';
import { type Checking, checkBlock, checkRequired } from './validate';

/** A block inside a state. Only the whole machine and single states choose a query language. */
export function checkInner(checking: Checking, block: JsonObject, at: string): void {
  if (block.QueryLanguage !== undefined) checking.report("Field 'QueryLanguage' is not supported", at);
  checkBlock(checking, block, at);
}

/** Checks what only Map states have: their processor, its mode, and the fields that go with it. */
export function checkMap(checking: Checking, state: JsonObject, at: string): void {
  const { report } = checking;
  const field = state.ItemProcessor !== undefined ? 'ItemProcessor' : 'Iterator';
  const processor = state[field];
  if (!isObject(processor)) {
    checkRequired(report, state, ['ItemProcessor'], at);
    return;
  }
  const config = isObject(processor.ProcessorConfig) ? processor.ProcessorConfig : {};
  const mode = config.Mode ?? 'INLINE';
  const express = mode === 'DISTRIBUTED' ? config.ExecutionType === 'EXPRESS' : checking.express;
  checkInner({ ...checking, express }, processor, `${at}/${field}`);
  checkOneOf(report, config, 'Mode', modes, `${at}/${field}/ProcessorConfig`);
  checkOneOf(report, config, 'ExecutionType', executionTypes, `${at}/${field}/ProcessorConfig`);
  if (isObject(state.ItemReader)) checkReader(report, state.ItemReader, `${at}/ItemReader`);
  if (isObject(state.ResultWriter)) checkWriter(report, state.ResultWriter, `${at}/ResultWriter`);
  if (typeof state.Label === 'string' && !label.test(state.Label))
    report(
      `Label is longer than 40 characters, or has characters that it cannot have`,
      `${at}/Label`,
      'INVALID_LABEL_NAME',
    );
  if (mode === 'DISTRIBUTED') {
    checkRequired(report, config, ['ExecutionType'], `${at}/${field}/ProcessorConfig`);
    if (checking.express) report('Express state machine does not support distributed Map states', at);
    return;
  }
  for (const only of ['ItemReader', 'ItemBatcher', 'ResultWriter']) {
    if (state[only] !== undefined) report(`Field '${only}' is only supported in DISTRIBUTED mode`, `${at}/${only}`);
  }
}

const modes = ['INLINE', 'DISTRIBUTED'];
const executionTypes = ['STANDARD', 'EXPRESS'];

/** "Labels can't exceed 40 characters …, and can't contain" white space, brackets, wildcards and a few signs. */
const label = /^[^\s\p{Cc}<>{}[\]?*"#%\\^|~`$&,;:]{1,40}$/u;

function checkOneOf(
  report: Checking['report'],
  fields: JsonObject,
  field: string,
  values: readonly string[],
  at: string,
): void {
  const value = fields[field];
  if (value !== undefined && !values.includes(String(value)))
    report(`Value should be one of the following: [${values.join(', ')}]`, `${at}/${field}`);
}

/** "Contents of the ItemReader field" in AWS's guide. */
function checkReader(report: Checking['report'], reader: JsonObject, at: string): void {
  checkRequired(report, reader, ['Resource'], at);
  checkS3(report, reader, ['getObject', 'listObjectsV2'], at);
  const config = isObject(reader.ReaderConfig) ? reader.ReaderConfig : {};
  const place = `${at}/ReaderConfig`;
  checkOneOf(report, config, 'InputType', inputTypes, place);
  checkOneOf(report, config, 'CSVHeaderLocation', headerLocations, place);
  if (config.InputType === 'CSV') checkRequired(report, config, ['CSVHeaderLocation'], place);
  if (config.CSVHeaderLocation === 'GIVEN') checkRequired(report, config, ['CSVHeaders'], place);
  const { CSVHeaders = [] } = config;
  if (!Array.isArray(CSVHeaders)) report('Expected value of type [ARRAY]', `${place}/CSVHeaders`);
}

const inputTypes = ['CSV', 'JSON', 'JSONL', 'MANIFEST', 'PARQUET'];
const headerLocations = ['FIRST_ROW', 'GIVEN'];

/** "The ResultWriter field cannot be empty": it writes somewhere, or gives the results another form. */
function checkWriter(report: Checking['report'], writer: JsonObject, at: string): void {
  const { Resource, WriterConfig } = writer;
  if (Resource === undefined && WriterConfig === undefined) report('Field has fewer fields than minimum of 1', at);
  checkS3(report, writer, ['putObject'], at);
}

function checkS3(report: Checking['report'], { Resource }: JsonObject, actions: string[], at: string): void {
  const resource = typeof Resource === 'string' ? parseResource(Resource) : undefined;
  if (Resource !== undefined && !(resource?.service === 's3' && actions.includes(resource.action)))
    report('Value is not a valid resource ARN', `${at}/Resource`);
}
