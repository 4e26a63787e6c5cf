import { EventBus } from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import type { VigilFunction } from '../functions/vigil-function';
import { nameInRegion } from '../names';

/**
 * The bus on which finished work is published to other systems. Subscribers add their own rules in their own stacks.
 */
export class Events extends Construct {
  readonly busName: string;
  private readonly arn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const bus = new EventBus(this, 'Bus', {
      eventBusName: nameInRegion(this, 'events', 256),
      description: 'Vigil: messages finished, runs ended, tool calls settled',
    });
    this.busName = bus.eventBusName;
    this.arn = bus.eventBusArn;
  }

  grantPublish(fn: VigilFunction): void {
    fn.allow([this.arn], 'events:PutEvents');
  }
}
