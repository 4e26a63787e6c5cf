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
import type { MadeFile } from '../../core/conversations/agent/model';
import type { RemoteFile } from '../../lambdas/models/api';
import type { ToldReference, ToldUse } from '../../lambdas/models/hosted-uses';
import { pictureAt, pictureOf } from '../../lambdas/models/made-file';
import { odd, oddList } from '../../lambdas/models/wire';

// OpenAI's own tools. See https://developers.openai.com/api/docs/guides/tools-web-search and the pages beside it.

/** Returns a hosted tool as a request declares it. */
export function hostedTool({ name, settings }: HostedTool): Tool[] {
  const { allowedDomains, contextSize, location, vectorStores = [], maxResults, files, memory } = settings;
  const { imageModel, size, quality, format, background } = settings;
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
          type: 'file_search',
          vector_store_ids: vectorStores,
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
    case 'image_generation':
      return [
        {
          type: 'image_generation',
          size,
          quality,
          background,
          ...(imageModel !== undefined && { model: imageModel }),
          ...(format && { output_format: format }),
        },
      ];
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

const fieldsOf: Record<HostedItem['type'], string[]> = {
  web_search_call: ['action'],
  file_search_call: ['queries', 'results'],
  code_interpreter_call: ['code', 'container_id', 'outputs'],
};
const toolOf: Record<string, HostedName> = {
  web_search_call: 'web_search',
  file_search_call: 'file_search',
  code_interpreter_call: 'code_interpreter',
  image_generation_call: 'image_generation',
};
type Given = Record<string, unknown> & { type?: string; id: string };
const goesBack = (type: string | undefined): type is HostedItem['type'] =>
  type !== undefined && Object.hasOwn(fieldsOf, type);

/** Whether an item has a picture. It does not go back, and neither does the reasoning before it: the picture itself is shown instead. */
export const isDrawing = ({ type }: { type?: string }): boolean => type === 'image_generation_call';

/** The states in which a call is over. The API takes back no other one. */
const over = ['completed', 'failed', 'incomplete'];

/** Returns an item of the reply as a request has it; undefined if it is none of a hosted tool, or is not over. */
export function hostedItem(item: Given): HostedItem | undefined {
  const { type, id, status } = item;
  if (!goesBack(type) || !id || !over.includes(String(status))) return undefined;
  const fields = fieldsOf[type].filter((field) => item[field] !== undefined);
  const own = Object.fromEntries(
    fields.map((field) => [field, field === 'outputs' ? withoutPictures(item[field]) : item[field]]),
  );
  return { type, id, status, ...own } as HostedItem;
}

const Output = z.looseObject({ type: odd(z.string()), url: odd(z.string()) });
/** Rows never have the bytes of a picture. */
const withoutPictures = (outputs: unknown): unknown =>
  Array.isArray(outputs) ? outputs.filter((one) => !Output.safeParse(one).data?.url?.startsWith('data:')) : outputs;

const Text = odd(z.string());
const Action = z.object({
  type: Text,
  query: Text,
  queries: oddList(z.string()),
  url: Text,
  pattern: Text,
  sources: oddList(z.looseObject({ url: z.unknown(), title: z.unknown().optional() })),
});
const Used = z.object({
  status: Text,
  code: Text,
  queries: oddList(z.string()),
  revised_prompt: Text,
  action: odd(Action),
  results: oddList(z.looseObject({ filename: z.unknown().optional() })),
});

/** Returns what the hosted tools did, for people. */
export const toldUses = (items: readonly Given[]): ToldUse[] =>
  items.flatMap((item) => {
    const tool = Object.hasOwn(toolOf, item.type ?? '') ? toolOf[item.type!] : undefined;
    if (!tool) return [];
    const { status, action, code, queries, results, revised_prompt: drawn = '' } = Used.parse(item);
    const known = status === 'completed' || status === 'failed' ? status : 'incomplete';
    return {
      tool,
      status: known,
      input: code ?? (action ? wordsOf(action) : queries.join('\n') || drawn),
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
  type: Text,
  container_id: Text,
  file_id: Text,
  url: z.unknown().optional(),
  title: z.unknown().optional(),
  filename: z.unknown().optional(),
});
const Content = oddList(z.object({ annotations: oddList(Annotation) }));

const annotationsIn = (contents: readonly unknown[]) =>
  contents.flatMap((content) => Content.parse(content)).flatMap(({ annotations }) => annotations);
const ofContainer = 'container_file_citation';

/** Returns what the texts of messages cite. */
export const toldCitations = (contents: readonly unknown[]): ToldReference[] =>
  annotationsIn(contents)
    .filter(({ type }) => type !== ofContainer)
    .map(({ url, title, filename }) => ({ url, title: title ?? filename }));

/** Returns the pictures of the reply's items, and those that programs have shown. */
export const picturesIn = (items: readonly Given[]): MadeFile[] =>
  items.flatMap((item) => {
    const { result, outputs } = Pictured.parse(item);
    if (isDrawing(item)) return result ? [pictureOf(Buffer.from(result, 'base64'))] : [];
    return outputs.flatMap(({ url }) => (url?.startsWith('data:') ? pictureAt(url) : []));
  });
const Pictured = z.object({ result: Text, outputs: oddList(Output) });

const idPattern = /^[\w-]{1,200}$/;

/** Returns the files in the container of a program that texts name. See https://developers.openai.com/api/docs/guides/tools-code-interpreter */
export const containerFiles = (contents: readonly unknown[]): RemoteFile[] =>
  annotationsIn(contents).flatMap(({ type, container_id: container = '', file_id: file = '', filename }) => {
    if (type !== ofContainer || !idPattern.test(container) || !idPattern.test(file)) return [];
    const name = Text.parse(filename);
    return { path: `/containers/${container}/files/${file}/content`, ...(name && { filename: name }) };
  });
