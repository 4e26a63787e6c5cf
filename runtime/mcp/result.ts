import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

type Block = CallToolResult['content'][number];

/** Returns what the model reads of a result: its structured content, or its text with a note for each thing that is not text. */
export const outputOf = ({ structuredContent, content }: CallToolResult): string | Record<string, unknown> =>
  structuredContent ?? textOf(content);

export const textOf = (content: Block[]): string => content.map(wordsOf).join('\n\n') || 'The tool returned nothing.';

function wordsOf(block: Block): string {
  switch (block.type) {
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

const bytesIn = (base64: string): number => Buffer.byteLength(base64, 'base64');
