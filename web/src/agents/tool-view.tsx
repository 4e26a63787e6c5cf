import { ChevronRight } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import type { ToolDetails } from 'vigil-client/shared';
import { sourceWords } from 'vigil-client/shared';
import { agentAddress } from '../hooks/use-place';
import { deciderWords } from '../rows/deciders';
import { JsonValue } from '../ui/json-value';
import { span, toolWords } from '../words/words';
import { type Fact, Facts } from './facts';

const kinds: Record<ToolDetails['kind'], string> = {
  function: 'function',
  wait: 'wait',
  callback: 'question',
  'hand-off': 'hand-off',
  delegate: 'delegation',
  hosted: 'hosted by the model’s provider',
};

const effects: Record<NonNullable<ToolDetails['effect']>, string> = {
  read: 'none: it only reads',
  table: 'in the table, exactly once',
  idempotent: 'may be repeated with the call’s key',
  once: 'never repeated after an attempt that may have worked',
};

const needed = { allow: 'runs', approve: 'needs an approval', 'by-arguments': 'depends on the arguments' };

/** A tool of an agent. It opens to show the schema of its input. */
export function ToolView({ tool }: { tool: ToolDetails }) {
  const { name, description, kind, effect, approval, afterUntrusted, undo, isolated, source, webhook, to } = tool;
  const facts: Fact[] = [
    ['Effect', effect && effects[effect]],
    ['Approval', approval && `“${approval.prompt}”, decided by ${byWords(approval)}`],
    ['After words from outside', afterUntrusted && needed[afterUntrusted]],
    ['Undo', effect && effect !== 'read' && (undo ? 'a rollback undoes it' : 'a rollback does not undo it')],
    ['Time limit', tool.timeoutSeconds && `${span(tool.timeoutSeconds * 1_000)} an attempt`],
    ['Attempts', tool.attemptsAtMost && `at most ${tool.attemptsAtMost}`],
    ['Isolated', isolated && 'its function reaches no stored data'],
    ['Brings words from', source && sourceWords([source])],
    ['Delivery from outside', webhook && (webhook === 'result' ? 'is its result' : 'becomes a message')],
    [
      'Leads to',
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
        <span className="text-faint text-xs">{kinds[kind]}</span>
      </h3>
      <p className="mt-1 mb-2 whitespace-pre-wrap text-muted text-sm [overflow-wrap:anywhere]">{description}</p>
      <Facts facts={facts} />
      {kind !== 'hosted' && (
        <Collapsible.Root className="mt-2">
          <Collapsible.Trigger className="group flex items-center gap-1.5 text-muted text-sm hover:text-ink">
            <ChevronRight aria-hidden className="size-3.5 transition-transform group-data-[state=open]:rotate-90" />
            Input<span className="sr-only"> of {name}</span>
          </Collapsible.Trigger>
          <Collapsible.Content className="pt-2">
            <JsonValue label={`Input of ${name}`} value={tool.input} />
          </Collapsible.Content>
        </Collapsible.Root>
      )}
    </li>
  );
}

/** The same for people. The description is written for the model. */
export const ToolLine = ({ tool: { name, title, approval } }: { tool: ToolDetails }) => (
  <li className="text-sm [overflow-wrap:anywhere]">
    {toolWords({ tool: name, title })}
    {approval && <span className="text-muted">, some or all of it approved by {byWords(approval)}</span>}
  </li>
);

function byWords({ by, excludesOwner }: NonNullable<ToolDetails['approval']>): string {
  if (by === 'owner') return 'the conversation’s owner';
  return `${deciderWords({ approvers: by })}${excludesOwner ? ', but not the owner' : ''}`;
}
