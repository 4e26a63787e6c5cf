import { Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { anyText, checkOptions, fields, listOf, optional, text } from '../../core/base/schemas/definition';
import { partition } from '../../infra/functions/conversation-table';
import { GeneratedKey } from '../../infra/functions/generated-key';
import { VigilFunction } from '../../infra/functions/vigil-function';
import { Machine } from '../../infra/machines/machine';
import type { Kernel, VigilModule } from '../../infra/module';
import type { ClientConfig } from '../../infra/preflight/finding';
import { checkAddress } from './check-address';
import { notice } from './machine';
import { reachSk } from './rows';

/** Reaches people who do not look: by Web Push, and by e-mail (docs/notifications.md). */
export interface NoticesProps {
  /** The address that e-mail is sent from. Without it, none is sent. */
  readonly mailFrom?: string;
  /** Origins of your own push services. */
  readonly pushOrigins?: string[];
}

const rules = fields<NoticesProps>({ mailFrom: optional(anyText), pushOrigins: optional(listOf(text)) });

/**
 * Notifies people of what happens while they do not look.
 *
 * @throws ConfigurationError that names the option.
 * @example
 * ```ts
 * import { notices } from 'vigil/modules/notices';
 *
 * // new Vigil(stack, 'Agents', { agents: './agents', modules: [listed] })
 * const listed = notices({ mailFrom: 'agents@example.com' });
 * listed.name; // → 'notices'
 * ```
 */
export function notices(props: NoticesProps = {}): VigilModule {
  checkOptions('notices', props, rules);
  const { mailFrom = '', pushOrigins = [] } = props;
  checkAddress(mailFrom, 'notices.mailFrom');
  return {
    name: 'notices',
    hears: [reachSk, 'ABSENCE', { prefix: 'LINK#' }, { prefix: 'STANDING#' }],
    stateful: {
      'Notices/PushKey/Secret': 'LiveNoticesPushKeySecret2B7FB418',
      'Notices/Notice/StateMachine': 'Notice',
      'Notices/Notice/Role': 'LiveNoticesNoticeStateMachineRole2283B75C',
      // Its name is fixed: two of them cannot be there at once.
      'Notices/Notice/Log': 'LiveNoticesNoticeLogD5487C15',
    },
    ...(mailFrom && { preflight: (config) => ({ service: 'SES', ask: () => senderCheck(config, mailFrom) }) }),
    deploy(kernel) {
      const { notify, machine } = new Notices(kernel, { mailFrom, pushOrigins });
      return { functions: [notify], watched: [notify], machines: [machine] };
    },
  };
}

/** Synthesis does not need the client of SES. */
const senderCheck = async (config: ClientConfig, mailFrom: string) =>
  (await import('./preflight')).checkSender(config, mailFrom);

/** The function that delivers notices, its machine, and the key by which push services know the deployment. */
class Notices extends Construct {
  readonly notify: VigilFunction;
  readonly machine: Machine;

  constructor(
    { scope, bundles, table, live, api, pageUrl }: Kernel,
    { mailFrom, pushOrigins }: Required<NoticesProps>,
  ) {
    super(scope, 'Notices');
    const key = pushKey(this);
    const variables = {
      ...key.variables,
      VIGIL_PUSH_ORIGINS: pushOrigins.join(','),
      VIGIL_MAIL_FROM: mailFrom,
    };
    this.notify = new VigilFunction(this, 'Notify', {
      description: 'Delivers a notice to the devices of its user',
      bundles,
      environment: { TABLE_NAME: table.name, ...variables, VIGIL_PAGE_URL: pageUrl ?? '' },
    });
    live.grantRead(this.notify);
    table.grant(this.notify, [partition.conversations], 'GetItem', 'Query');
    table.grant(this.notify, [partition.users], 'GetItem', 'PutItem', 'UpdateItem');
    if (mailFrom) this.notify.allow(identitiesOf(this, mailFrom), 'ses:SendEmail');
    this.machine = new Machine(this, 'Notice', { definition: notice, functions: { Notify: this.notify } });
    // Broadcast begins notices, if their user has a device or wants e-mail.
    live.broadcast.addEnvironment('NOTICE_MACHINE_ARN', this.machine.arn);
    table.grant(live.broadcast, [partition.users], 'GetItem');
    this.machine.grantStart(live.broadcast);
    // Api registers devices.
    for (const [name, value] of Object.entries(variables)) api.addEnvironment(name, value);
    for (const one of [this.notify, api]) key.grantRead(one);
  }
}

/**
 * The keys at push services derive from it (`push-keys.ts`). Replacing it invalidates all subscriptions, and each browser subscribes again when its
 * page opens.
 */
const pushKey = (scope: Construct): GeneratedKey =>
  new GeneratedKey(scope, 'PushKey', {
    name: 'PUSH_KEY',
    description: 'Signs notifications for push services',
    kept: 'A rotation would end the subscriptions of all browsers.',
  });

/** SES sends for an address if it is verified, or its domain is. */
const identitiesOf = (scope: Construct, from: string): string[] =>
  [from, from.split('@').at(-1)!].map((resourceName) =>
    Stack.of(scope).formatArn({ service: 'ses', resource: 'identity', resourceName }),
  );
