import { Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { notice } from '../../statemachines/notice';
import { type ConversationTable, partition } from '../functions/conversation-table';
import { type GeneratedKey, pushKey } from '../functions/generated-key';
import { VigilFunction } from '../functions/vigil-function';
import { Machine } from '../machines/machine';
import { noticeVariables, type Settings } from '../settings';
import type { LiveTable } from './live-table';

export interface NoticesProps {
  bundles: string;
  table: ConversationTable;
  live: LiveTable;
  settings: Settings;
}

/** Reaches users who do not look: by Web Push, and by e-mail if the deployment has an address to send from. */
export class Notices extends Construct {
  readonly key: GeneratedKey;
  readonly notify: VigilFunction;
  private readonly table: ConversationTable;
  readonly machine: Machine;

  constructor(scope: Construct, id: string, { bundles, table, live, settings }: NoticesProps) {
    super(scope, id);
    this.table = table;
    this.key = pushKey(this);
    this.notify = new VigilFunction(this, 'Notify', {
      description: 'Delivers a notice to the devices of its user',
      bundles,
      environment: {
        TABLE_NAME: table.name,
        LIVE_TABLE_NAME: live.name,
        ...this.key.variables,
        ...noticeVariables(settings),
      },
    });
    this.key.grantRead(this.notify);
    table.grant(this.notify, [partition.conversations], 'GetItem', 'Query');
    table.grant(this.notify, [partition.users], 'GetItem', 'PutItem', 'UpdateItem');
    live.grant(this.notify, 'Query');
    const { mailFrom } = settings;
    if (mailFrom) this.notify.allow(identitiesOf(this, mailFrom), 'ses:SendEmail');
    this.machine = new Machine(this, 'Notice', { definition: notice, functions: { Notify: this.notify } });
  }

  /** For the function that begins notices. */
  get variables(): Record<string, string> {
    return { TABLE_NAME: this.table.name, NOTICE_MACHINE_ARN: this.machine.arn };
  }

  grantBegin(fn: VigilFunction): void {
    this.table.grant(fn, [partition.users], 'GetItem');
    this.machine.grantStart(fn);
  }

  /** Sets the page that e-mail leads to. */
  leadTo(pageUrl: string): void {
    this.notify.addEnvironment('VIGIL_PAGE_URL', pageUrl);
  }
}

/** SES sends for an address if it is verified, or its domain is. */
const identitiesOf = (scope: Construct, from: string): string[] =>
  [from, from.split('@').at(-1)!].map((resourceName) =>
    Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName }),
  );
