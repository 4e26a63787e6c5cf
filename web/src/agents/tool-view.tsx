import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import type { ToolDetails } from 'vigil-client/shared';
import { agentAddress } from '../hooks/use-place';
import { t } from '../languages/catalogue';
import { rich } from '../languages/rich';
import { deciderWords } from '../rows/deciders';
import { JsonValue } from '../ui/json-value';
import { sourceWords } from '../words/sources';
import { span, toolWords } from '../words/words';
import { type Fact, Facts } from './facts';

function kindWords(kind: ToolDetails['kind']): string {
  switch (kind) {
    case 'function':
      return t('function');
    case 'wait':
      return t('wait');
    case 'callback':
      return t('question');
    case 'hand-off':
      return t('hand-off');
    case 'delegate':
      return t('delegation');
    case 'person':
      return t('hand-over to a person');
    case 'read':
      return t('reads on');
    case 'hosted':
      return t('hosted by the model’s provider');
  }
}

function effectWords(effect: NonNullable<ToolDetails['effect']>): string {
  switch (effect) {
    case 'read':
      return t('none: it only reads');
    case 'table':
      return t('in the table, exactly once');
    case 'idempotent':
      return t('may be repeated with the call’s key');
    case 'once':
      return t('never repeated after an attempt that may have worked');
  }
}

function untrustedWords(then: NonNullable<ToolDetails['afterUntrusted']>): string {
  switch (then) {
    case 'allow':
      return t('runs');
    case 'approve':
      return t('needs an approval');
    case 'by-arguments':
      return t('depends on the arguments');
  }
}

/** A tool of an agent. It opens to show the schema of its input. */
export function ToolView({ tool }: { tool: ToolDetails }) {
  const { name, description, kind, effect, approval, afterUntrusted, undo, isolated, source, webhook, to } = tool;
  const facts: Fact[] = [
    [t('Effect'), effect && effectWords(effect)],
    [
      t('Approval'),
      approval &&
        t('“{prompt}”, decided by {deciders}', { prompt: approval.prompt, deciders: approversWords(approval) }),
    ],
    [t('After words from outside'), afterUntrusted && untrustedWords(afterUntrusted)],
    [t('Undo'), effect && effect !== 'read' && (undo ? t('a rollback undoes it') : t('a rollback does not undo it'))],
    [t('Time limit'), tool.timeoutSeconds && t('{time} an attempt', { time: span(tool.timeoutSeconds * 1_000) })],
    [t('Attempts'), tool.attemptsAtMost && t('at most {count}', { count: tool.attemptsAtMost })],
    [t('Isolated'), isolated && t('its function reaches no stored data')],
    [t('Brings words from'), source && sourceWords([source])],
    [t('Delivery from outside'), webhook && (webhook === 'result' ? t('is its result') : t('becomes a message'))],
    [
      t('Leads to'),
      to && (
        <a href={agentAddress(to)} className="text-accent underline underline-offset-2">
          {to}
        </a>
      ),
    ],
  ];
  return (
    <li data-tool={name} className="rounded-xl border border-line bg-raised px-4 py-3">
      <h3 className="flex flex-wrap items-baseline gap-x-2">
        <code className="font-medium font-mono text-sm [overflow-wrap:anywhere]">{name}</code>
        <span className="text-faint text-xs">{kindWords(kind)}</span>
      </h3>
      <p className="mt-1 mb-2 whitespace-pre-wrap text-muted text-sm [overflow-wrap:anywhere]">{description}</p>
      <Facts facts={facts} />
      {kind !== 'hosted' && (
        <Collapsible.Root className="mt-2">
          <Collapsible.Trigger className="group flex items-center gap-1.5 text-muted text-sm hover:text-ink">
            <ChevronRight aria-hidden className="size-3.5 transition-transform group-data-[state=open]:rotate-90" />
            {rich('Input<hidden> of {name}</hidden>', {
              name,
              hidden: (text) => <span className="sr-only">{text}</span>,
            })}
          </Collapsible.Trigger>
          <Collapsible.Content className="pt-2">
            <JsonValue label={t('Input of {name}', { name })} value={tool.input} />
          </Collapsible.Content>
        </Collapsible.Root>
      )}
    </li>
  );
}

/** The same for people. The description is written for the model. */
export const ToolLine = ({ tool: { name, title, approval } }: { tool: ToolDetails }) => (
  <li className="text-sm [overflow-wrap:anywhere]">
    {approval
      ? rich('{tool}<more>, some or all of it approved by {deciders}</more>', {
          tool: toolWords({ tool: name, title }),
          deciders: approversWords(approval),
          more: (text) => <span className="text-muted">{text}</span>,
        })
      : toolWords({ tool: name, title })}
  </li>
);

function approversWords({ by, excludesOwner }: NonNullable<ToolDetails['approval']>): string {
  if (by === 'owner') return t('the conversation’s owner');
  const deciders = deciderWords({ approvers: by });
  return excludesOwner ? t('{deciders}, but not the owner', { deciders }) : deciders;
}
