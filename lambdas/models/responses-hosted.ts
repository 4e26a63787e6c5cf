import type {
  ResponseCodeInterpreterToolCall,
  ResponseFileSearchToolCall,
  ResponseFunctionWebSearch,
  ResponseIncludable,
  Tool,
} from 'openai/resources/responses/responses';
import * as z from 'zod';
import type { HostedName } from '../../core/base/content/sources';
import type { HostedTool } from '../../core/base/models/hosted';
import type { ToldReference, ToldUse } from './hosted-uses';
import { odd, oddList } from './wire';

// OpenAI's own tools. See https://developers.openai.com/api/docs/guides/tools-web-search and the pages beside it.

/** Returns a hosted tool as a request declares it. */
export function hostedTool({ name, settings }: HostedTool): Tool[] {
  const { allowedDomains, contextSize, location, vectorStores = [], maxResults, files, memory } = settings;
  switch (name) {
    case 'web_search': {
      const { timeZone, ...place } = location ?? {};
      return [
        {
          type: 'web_search',
          ...(allowedDomains && { filters: { allowed_domains: allowedDomains } }),
          ...(contextSize && { search_context_size: contextSize }),
          ...(location && {
            user_location: { type: 'approximate', ...place, ...(timeZone && { timezone: timeZone }) },
          }),
        },
      ];
    }
    case 'file_search':
      return [
        {
          ...{ type: 'file_search', vector_store_ids: vectorStores },
          ...(maxResults !== undefined && { max_num_results: maxResults }),
        },
      ];
    case 'code_interpreter': {
      const container = {
        type: 'auto' as const,
        ...(files && { file_ids: files }),
        ...(memory && { memory_limit: memory }),
      };
      return [{ type: 'code_interpreter', container }];
    }
    case 'web_fetch':
      return [];
  }
}

const included: Partial<Record<HostedName, ResponseIncludable>> = {
  web_search: 'web_search_call.action.sources',
  file_search: 'file_search_call.results',
  code_interpreter: 'code_interpreter_call.outputs',
};
/** What a request asks for beside the calls themselves. */
export const hostedIncludes = (hosted: readonly HostedTool[]): ResponseIncludable[] =>
  hosted.flatMap(({ name }) => included[name] ?? []);

/** A call of a hosted tool with its result, which goes back unchanged. */
export type HostedItem = ResponseFunctionWebSearch | ResponseFileSearchToolCall | ResponseCodeInterpreterToolCall;

const fieldsOf: Record<HostedItem['type'], [tool: HostedName, fields: string[]]> = {
  web_search_call: ['web_search', ['action']],
  file_search_call: ['file_search', ['queries', 'results']],
  code_interpreter_call: ['code_interpreter', ['code', 'container_id', 'outputs']],
};
type Given = Record<string, unknown> & { type?: string; id: string };
const isOfHosted = (type: string | undefined): type is HostedItem['type'] =>
  type !== undefined && Object.hasOwn(fieldsOf, type);

/** The states in which a call is over. The API takes back no other one. */
const over = ['completed', 'failed', 'incomplete'];

/** Returns an item of the reply as a request has it; undefined if it is none of a hosted tool, or is not over. */
export function hostedItem(item: Given): HostedItem | undefined {
  const { type, id, status } = item;
  if (!isOfHosted(type) || !id || !over.includes(String(status))) return undefined;
  const fields = fieldsOf[type][1].filter((field) => item[field] !== undefined);
  const own = Object.fromEntries(fields.map((field) => [field, item[field]]));
  return { type, id, status, ...own } as HostedItem;
}

const Text = odd(z.string());
const Action = z.object({
  ...{ type: Text, query: Text, queries: oddList(z.string()), url: Text, pattern: Text },
  sources: oddList(z.looseObject({ url: z.unknown(), title: z.unknown().optional() })),
});
const Used = z.object({
  ...{ status: Text, code: Text, queries: oddList(z.string()) },
  action: odd(Action),
  results: oddList(z.looseObject({ filename: z.unknown().optional() })),
});

/** Returns what the hosted tools did, for people. */
export const toldUses = (items: readonly Given[]): ToldUse[] =>
  items.flatMap((item) => {
    if (!isOfHosted(item.type)) return [];
    const { status, action, code, queries, results } = Used.parse(item);
    const known = status === 'completed' || status === 'failed' ? status : 'incomplete';
    return {
      ...{
        tool: fieldsOf[item.type][0],
        status: known,
        input: code ?? (action ? wordsOf(action) : queries.join('\n')),
      },
      sources: [
        ...(action?.sources ?? []),
        ...(action?.type === 'open_page' ? [{ url: action.url }] : []),
        ...results.map(({ filename }) => ({ title: filename })),
      ],
    };
  });

function wordsOf({ type, query = '', queries, url = '', pattern = '' }: z.infer<typeof Action>): string {
  if (type === 'open_page') return url;
  if (type === 'find_in_page') return `${pattern}\n${url}`;
  return queries.length > 0 ? queries.join('\n') : query;
}

const Annotation = z.looseObject({
  url: z.unknown().optional(),
  title: z.unknown().optional(),
  filename: z.unknown().optional(),
});
const Content = oddList(z.object({ annotations: oddList(Annotation) }));

/** Returns what the texts of messages cite. */
export const toldCitations = (contents: readonly unknown[]): ToldReference[] =>
  contents
    .flatMap((content) => Content.parse(content))
    .flatMap(({ annotations }) => annotations)
    .map(({ url, title, filename }) => ({ url, title: title ?? filename }));
