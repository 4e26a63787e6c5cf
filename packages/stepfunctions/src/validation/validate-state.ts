import { parseResource, type TaskResource } from '../execution/task-resource';
import { isObject, type JsonObject } from '../language/json';
import { fixedText } from '../language/jsonata/jsonata-template';
import { parseTimestamp } from '../language/timestamp';
import { isKnown } from '../states/task/known-integrations';
import { isSupported } from '../states/task/task-parameters';
import { type Checking, checkRequired, isJsonata, type Report } from './validate';
import { checkAssign } from './validate-assign';
import { checkChoiceRule } from './validate-choice';
import { checkErrorHandling } from './validate-error-handling';
import { checkExpressions } from './validate-expressions';
import { checkFields, checkLanguage, checkLanguageName } from './validate-fields';
import { checkInner, checkMap } from './validate-map';
import { checkNumbers } from './validate-numbers';
import { checkTypes } from './validate-types';

/** Names of parameters are checked when the machine is created, values when the task starts (`task-parameters.ts`). */
function checkParameterNames(report: Report, resource: TaskResource, state: JsonObject, at: string): void {
  for (const field of ['Parameters', 'Arguments']) {
    const parameters = state[field];
    const names = isObject(parameters) ? Object.keys(parameters).map((name) => name.replace(/\.\$$/, '')) : [];
    for (const name of names.filter((each) => !isSupported(resource, each)))
      report(`The field "${name}" is not supported by Step Functions`, `${at}/${field}`);
  }
}

/** The fields that each type of state has to have. */
const requiredFields: Record<string, readonly string[]> = {
  Pass: [],
  Task: ['Resource'],
  Choice: ['Choices'],
  Wait: [],
  Succeed: [],
  Fail: [],
  Parallel: ['Branches'],
  Map: [],
};

/** In AWS's order. */
const types = ['Task', 'Wait', 'Pass', 'Succeed', 'Fail', 'Choice', 'Parallel', 'Map'];

/** These end the branch, or decide themselves what comes next. */
const withoutNext = new Set(['Choice', 'Succeed', 'Fail']);

/** "State names … must not exceed 80 characters" */
const longestName = 80;

/** Checks one state, and what lies inside it. */
export function checkState(checking: Checking, name: string, state: JsonObject, at: string): void {
  const { report } = checking;
  const { Type } = state;
  if (name.length > longestName) report(`State name is longer than ${longestName} characters`, at);
  if (typeof Type !== 'string' || !types.includes(Type)) {
    if (Type === undefined) checkRequired(report, state, ['Type'], at);
    else report(`The field 'Type' should have one of these values: [${types.join(', ')}]`, `${at}/Type`);
    return;
  }
  checkRequired(report, state, requiredFields[Type]!, at);
  checkTypes(report, state, at);
  checkFields(checking, state, at);
  checkLanguageName(checking, state, at);
  if (!withoutNext.has(Type)) checkTransition(checking, state, at);
  checks[Type]?.(checking, state, at);
  checkErrorHandling(checking, state, at);
  checkNumbers(checking, state, at);
  checkAssign(report, state, isJsonata(checking, state), at);
  if (state.QueryLanguage === 'JSONPath' && checking.machineIsJsonata) {
    report("'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine", at);
    return;
  }
  checkLanguage(checking, state, at);
  checkExpressions(checking, state, at);
}

function checkTransition({ report }: Checking, { Next, End }: JsonObject, at: string): void {
  if (Next === undefined && End !== true) report("Missing 'Next' or 'End' field", at);
  if (Next !== undefined && End === true) report("These fields cannot be used together: 'Next', 'End'", at);
}

type Check = (checking: Checking, state: JsonObject, at: string) => void;

const checks: Record<string, Check> = {
  Task({ report, express }, state, at) {
    const resource = typeof state.Resource === 'string' ? parseResource(state.Resource) : undefined;
    if (state.Resource !== undefined && resource === undefined)
      report('Value is not a valid resource ARN', `${at}/Resource`);
    if (resource && !isKnown(resource))
      report(
        `The resource provided ${resource.arn} is not recognized. The value is not a valid resource ARN, or the resource is not available in this region.`,
        `${at}/Resource`,
      );
    if (resource) checkParameterNames(report, resource, state, at);
    const { Credentials } = state;
    if (isObject(Credentials) && Credentials.RoleArn === undefined && Credentials['RoleArn.$'] === undefined)
      report("The field 'RoleArn' is required but was missing", `${at}/Credentials`);
    if (express && resource?.kind === 'activity')
      report('Express state machine does not support Activity ARN', `${at}/Resource`);
    if (!express || !resource || resource.pattern === '') return;
    const pattern = resource.pattern === '.waitForTaskToken' ? '.waitForTaskToken' : '.sync';
    report(`Express state machine does not support '${pattern}' service integration`, `${at}/Resource`);
  },
  Choice(checking, state, at) {
    if (!Array.isArray(state.Choices)) return;
    if (state.Choices.length === 0) checking.report('Array has fewer items than minimum of 1', `${at}/Choices`);
    for (const [i, rule] of state.Choices.entries()) {
      checkChoiceRule(checking, rule, `${at}/Choices[${i}]`, isJsonata(checking, state));
    }
  },
  Wait(checking, state, at) {
    const { report } = checking;
    const fields = ['Seconds', 'SecondsPath', 'Timestamp', 'TimestampPath'];
    if (fields.filter((field) => state[field] !== undefined).length !== 1) {
      report(`Exactly one of the fields ${fields.map((field) => `'${field}'`).join(', ')} is required`, at);
    }
    const { Timestamp } = state;
    const isFixed = typeof Timestamp === 'string' && !isJsonata(checking, state);
    const timestamp = isFixed ? Timestamp : typeof Timestamp === 'string' ? fixedText(Timestamp) : undefined;
    if (timestamp !== undefined && parseTimestamp(timestamp) === undefined)
      report('String does not match RFC3339 timestamp', `${at}/Timestamp`);
  },
  Fail({ report }, state, at) {
    for (const field of ['Error', 'Cause']) {
      if (state[field] === undefined || state[`${field}Path`] === undefined) continue;
      report(`These fields cannot be used together: '${field}', '${field}Path'`, at);
    }
  },
  Parallel(checking, state, at) {
    if (!Array.isArray(state.Branches)) return;
    if (state.Branches.length === 0) checking.report('Array has fewer items than minimum of 1', `${at}/Branches`);
    for (const [i, branch] of state.Branches.entries()) {
      if (isObject(branch)) checkInner(checking, branch, `${at}/Branches[${i}]`);
      else checking.report('Expected value of type [OBJECT]', `${at}/Branches[${i}]`);
    }
  },
  Map: checkMap,
};
