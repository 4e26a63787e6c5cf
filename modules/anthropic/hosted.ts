import type Anthropic from '@anthropic-ai/sdk';
import * as z from 'zod';
import type { HostedName } from '../../core/base/content/sources';
import type { HostedTool } from '../../core/base/models/hosted';
import type { ToldReference, ToldUse } from '../../lambdas/models/hosted-uses';
import { odd, oddList } from '../../lambdas/models/wire';

// Anthropic's own tools. See https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools

/**
 * Returns a hosted tool as a request declares it. The versions are those that all models have, whose results come as they are and not by way
 * of a program.
 */
export function hostedTool({ name, settings }: HostedTool): Anthropic.ToolUnion[] {
  const { allowedDomains, blockedDomains, maxUses, location, maxContentTokens, citations } = settings;
  const limits = {
    ...(allowedDomains && { allowed_domains: allowedDomains }),
    ...(blockedDomains && { blocked_domains: blockedDomains }),
    ...(maxUses !== undefined && { max_uses: maxUses }),
  };
  switch (name) {
    case 'web_search': {
      const { timeZone, ...place } = location ?? {};
      const user_location = { type: 'approximate' as const, ...place, ...(timeZone && { timezone: timeZone }) };
      return [{ type: 'web_search_20250305', name, ...limits, ...(location && { user_location }) }];
    }
    case 'web_fetch':
      return [
        {
          type: 'web_fetch_20250910',
          name,
          ...limits,
          ...(maxContentTokens !== undefined && { max_content_tokens: maxContentTokens }),
          ...(citations !== undefined && { citations: { enabled: citations } }),
        },
      ];
    case 'code_interpreter':
      return [{ type: 'code_execution_20250825', name: 'code_execution' }];
    case 'file_search':
    case 'image_generation':
      return [];
  }
}

/** A block of a hosted tool: its call, or its result. It goes back as it came. */
export interface HostedBlock {
  type: string;
  id?: string;
  tool_use_id?: string;
}

const isUse = ({ type }: { type?: string }): boolean => type === 'server_tool_use';
const isResult = ({ type = '' }: { type?: string }): boolean => /^\w+_tool_result$/.test(type);
export const isHostedBlock = (block: { type?: string }): block is HostedBlock => isUse(block) || isResult(block);

/**
 * Leaves out calls without a result and results without a call, which the API rejects: of a reply whose data could not be kept. A call in the
 * last turn may be without, because the API makes it when it has the results of the turn's other calls.
 */
export function pairHosted(messages: { role: string; content: object[] }[]): void {
  const all = messages.flatMap(({ content }) => content as HostedBlock[]);
  const finished = new Set(all.filter(isResult).map(({ tool_use_id }) => tool_use_id));
  const made = new Set(all.filter(isUse).map(({ id }) => id));
  const last = messages.findLast(({ role }) => role === 'assistant');
  for (const message of messages)
    message.content = (message.content as HostedBlock[]).filter(
      (block) =>
        !isHostedBlock(block) ||
        (isUse(block) ? finished.has(block.id) || message === last : made.has(block.tool_use_id)),
    );
}

const tools: Record<string, HostedName> = {
  web_search: 'web_search',
  web_fetch: 'web_fetch',
  code_execution: 'code_interpreter',
  bash_code_execution: 'code_interpreter',
  text_editor_code_execution: 'code_interpreter',
};
const toolOf = (name: string): HostedName | undefined => (Object.hasOwn(tools, name) ? tools[name] : undefined);

const Text = odd(z.string());
const Use = z.object({
  id: Text,
  name: Text,
  input: odd(z.object({ query: Text, url: Text, code: Text, command: Text, path: Text, file_text: Text })),
});
const Titled = z.looseObject({ type: Text, url: z.unknown().optional(), title: z.unknown().optional() });
const Result = z.object({
  type: Text,
  tool_use_id: Text,
  content: z
    .union([
      z.array(z.unknown()).transform((list) => ({ list: oddList(Titled).parse(list), one: undefined })),
      Titled.extend({ content: odd(z.object({ title: z.unknown().optional() })) }).transform((one) => ({
        list: [],
        one,
      })),
    ])
    .catch({ list: [], one: undefined }),
});

/** Returns what the hosted tools did, for people. A result may be that of a call in the turn before. */
export function toldUses(blocks: readonly object[]): ToldUse[] {
  const told: ToldUse[] = [];
  const open = new Map<string, ToldUse>();
  for (const block of blocks as HostedBlock[]) {
    if (isUse(block)) {
      const { id = '', name = '', input } = Use.parse(block);
      const tool = toolOf(name);
      if (!tool) continue;
      const use: ToldUse = { tool, input: wordsOf(input), status: 'incomplete', sources: [] };
      open.set(id, use);
      told.push(use);
    } else if (isResult(block)) {
      const { type = '', tool_use_id = '', content } = Result.parse(block);
      const tool = toolOf(type.replace(/_tool_result$/, ''));
      const use = open.get(tool_use_id) ?? (tool && { tool, input: '', status: 'incomplete', sources: [] });
      if (!use) continue;
      if (!open.has(tool_use_id)) told.push(use);
      use.status = content.one?.type?.endsWith('_error') ? 'failed' : 'completed';
      use.sources = referencesIn(content);
    }
  }
  return told;
}

const referencesIn = ({ list, one }: z.infer<typeof Result>['content']): ToldReference[] =>
  one?.url === undefined ? list : [{ url: one.url, title: one.content?.title }];

const wordsOf = ({
  query,
  url,
  code,
  command,
  path,
  file_text,
}: NonNullable<z.infer<typeof Use>['input']> = {}): string =>
  query ?? url ?? code ?? [command, path, file_text].filter(Boolean).join('\n');

const Citation = z.object({
  url: z.unknown().optional(),
  title: z.unknown().optional(),
  document_title: z.unknown().optional(),
});

/** Returns what the texts of a reply cite. */
export const toldCitations = (citations: readonly unknown[]): ToldReference[] =>
  oddList(Citation)
    .parse(citations)
    .map(({ url, title, document_title }) => ({ url, title: title ?? document_title }));
