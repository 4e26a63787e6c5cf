/** The parsed Resource of a Task state, which determines its handling and the form of its events. */
export interface TaskResource {
  readonly arn: string;
  readonly kind: 'lambda' | 'activity' | 'service';
  /** `lambda`, `dynamodb`, `aws-sdk:s3` …: for a service, the events' resourceType. */
  readonly service: string;
  /** `invoke`, `startExecution` … */
  readonly action: string;
  /** `.sync` and `.sync:2` wait for a job, `.waitForTaskToken` for whoever holds the token. */
  readonly pattern: '' | '.sync' | '.sync:2' | '.waitForTaskToken';
}

const patterns = /(\.sync:2|\.sync|\.waitForTaskToken)$/;

/** Section "Task state". Undefined where the text is none of the three kinds of resource. */
export function parseResource(arn: string): TaskResource | undefined {
  const parts = arn.split(':');
  if (parts[0] !== 'arn' || parts.length < 6) return undefined;
  if (parts[2] === 'lambda' && parts[5] === 'function')
    return { arn, kind: 'lambda', service: 'lambda', action: 'invoke', pattern: '' };
  if (parts[2] !== 'states') return undefined;
  if (parts[5] === 'activity')
    return { arn, kind: 'activity', service: 'activity', action: parts[6] ?? '', pattern: '' };
  const rest = parts.slice(5).join(':');
  const pattern = (patterns.exec(rest)?.[1] ?? '') as TaskResource['pattern'];
  const name = rest.slice(0, rest.length - pattern.length);
  const cut = name.lastIndexOf(':');
  return cut < 0
    ? undefined
    : { arn, kind: 'service', service: name.slice(0, cut), action: name.slice(cut + 1), pattern };
}

/** Whether `$$.Task.Token` exists in the state: also in one that waits for a job, which the token's holder can cut short. */
export const hasToken = ({ kind, pattern }: TaskResource): boolean => kind === 'activity' || pattern !== '';
