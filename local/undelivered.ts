import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from 'vigil-stepfunctions';
import type { Resource, Template } from './template/template';

/**
 * Keeps messages for the template's dead-letter queues: each becomes a line of `<state>/undelivered.jsonl`. Nothing
 * reads queues on a laptop, so there is no other part of SQS.
 */
export interface Undelivered {
  /**
   * Returns the destination for what a mapping could not deliver, or undefined if it has none.
   *
   * @throws Error if it is not a queue of the template, or the function's role may not send to it.
   */
  destinationOf(mapping: Resource, lambda: Resource): Destination | undefined;
  /** The same for a function's asynchronous events, from its EventInvokeConfig. */
  ofEvents(lambda: Resource): Destination | undefined;
}

/** Keeps a message. */
export type Destination = (message: object) => Promise<void>;

export interface UndeliveredOptions {
  template: Template;
  stateDirectory: string;
  clock: Clock;
  /** Throws if the function's role may not do this with the queue. */
  authorize: (lambda: Resource, action: string, queueArn: string) => void;
  log: (line: string) => void;
}

export function openUndelivered(options: UndeliveredOptions): Undelivered {
  const { template, stateDirectory, clock, authorize, log } = options;
  const file = join(stateDirectory, 'undelivered.jsonl');
  const queues = template.ofType('AWS::SQS::Queue');

  const destinationOf = ({ logicalId, properties }: Resource, lambda: Resource): Destination | undefined => {
    if (!properties.DestinationConfig) return undefined;
    const { OnFailure, ...others } = properties.DestinationConfig as { OnFailure?: { Destination: string } };
    const [other] = Object.keys(others);
    if (other) throw new Error(`The local cloud does not support ${other} of a DestinationConfig (${logicalId}).`);
    const queue = queues.find(({ attributes }) => attributes.Arn === OnFailure?.Destination);
    if (!queue) throw new Error(`The DestinationConfig of ${logicalId} must name a queue of the template.`);
    authorize(lambda, 'sqs:SendMessage', String(queue.attributes.Arn));
    return async (message) => {
      log(`${lambda.name} could not handle an event or a batch: the message is in ${file}.`);
      const at = new Date(clock.now()).toISOString();
      await appendFile(file, `${JSON.stringify({ queue: queue.attributes.QueueName, at, message })}\n`);
    };
  };

  const functions = template.ofType('AWS::Lambda::Function');
  const configs = template.ofType('AWS::Lambda::EventInvokeConfig').map((config) => {
    const lambda = functions.find(({ ref }) => ref === config.properties.FunctionName);
    if (!lambda) throw new Error(`${config.logicalId} names a function that is not in the template.`);
    return [lambda.ref, destinationOf(config, lambda)] as const;
  });
  const ofEvents = new Map(configs);
  return { destinationOf, ofEvents: ({ ref }) => ofEvents.get(ref) };
}
