import type { ContentBlock } from '@modelcontextprotocol/client';
import { ContentBlockSchema } from '@modelcontextprotocol/core';
import * as z from 'zod';
import { InlineFile, mostInlineBase64 } from '../../core/base/content/parts';
import { isJsonObject } from '../../core/base/json/json-object';
import { plainJson } from '../../core/base/json/plain-json';

// The border to what MCP servers answer. A tool that has answered has run, so no odd answer becomes an error: what cannot be read is named.

/** Any answer of a server, by JSON-RPC. Everything in it is read below. */
export const AnyResult = z.looseObject({});

/** The answer of a tool, in JSON that can be stored and read. */
export interface ToolAnswer {
  isError: boolean;
  /** For tools with an output schema. */
  structured?: Record<string, unknown>;
  /** The text, with a note for each thing that is not text. */
  text: string;
  /** The pictures, recordings and other resources that it contains. They are stored before anybody reads the result. */
  files: InlineFile[];
}

/** Returns what a tool has answered. It never throws. */
export function readAnswer({ content, structuredContent, isError }: Record<string, unknown>): ToolAnswer {
  const structured = plainJson(structuredContent, 'structuredContent').value;
  const files: InlineFile[] = [];
  let left = mostInlineBase64;
  const words = blocksIn(content).map((block) => {
    const file = fileIn(block);
    if (!file || file.data.length > left) return wordsOf(block);
    left -= file.data.length;
    files.push(file);
    return `[${file.filename ?? block!.type}: one of the files of this result]`;
  });
  if (structured !== null && !isJsonObject(structured)) words.push(JSON.stringify(structured));
  const text = plainJson(words.join('\n\n'), 'content').value as string;
  return {
    isError: isError === true,
    ...(isJsonObject(structured) && { structured }),
    text: text || 'The tool returned nothing.',
    files,
  };
}

/** Returns what the model reads: the structured content, or the text, and the files if there are any. */
export const outputOf = ({ structured, text, files }: ToolAnswer): string | Record<string, unknown> =>
  files.length === 0 ? (structured ?? text) : { ...(structured ? { structured } : { text }), files };

function blocksIn(content: unknown): (ContentBlock | undefined)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return content === undefined || content === null ? [] : [undefined];
  return content.map((block) => ContentBlockSchema.safeParse(block).data);
}

function wordsOf(block: ContentBlock | undefined): string {
  switch (block?.type) {
    case undefined:
      return '[content that is not of the protocol: not shown]';
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} of the type ${block.mimeType}, ${bytesIn(block.data)} bytes: not shown]`;
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return `[${resource.uri}]\n${resource.text}`;
      return `[${resource.uri}, ${bytesIn(resource.blob)} bytes: not shown]`;
    }
    case 'resource_link':
      return `[link to ${block.name}: ${block.uri}]`;
  }
}

/** Returns the file in a block; undefined if it is none, or its type or bytes cannot be read. */
function fileIn(block: ContentBlock | undefined): InlineFile | undefined {
  const of =
    block?.type === 'image' || block?.type === 'audio'
      ? { data: block.data, mediaType: block.mimeType }
      : block?.type === 'resource' && 'blob' in block.resource
        ? { data: block.resource.blob, mediaType: block.resource.mimeType ?? '', filename: nameIn(block.resource.uri) }
        : undefined;
  return InlineFile.safeParse({ type: 'file', ...of }).data;
}

/** Returns the last part of an address, as a file's name. */
const nameIn = (uri: string): string | undefined => /([^/?#]{1,200})[?#]?[^/]*$/.exec(uri)?.[1];

const bytesIn = (base64: string): number => Buffer.byteLength(base64, 'base64');
