import type { Api } from 'vigil-client';
import { conversationMarkdown, exportName, wholeConversation } from 'vigil-client/shared';

export type Format = 'markdown' | 'json';

interface ExportedText {
  content: Blob;
  name: string;
}

/** Returns the conversation as a file: everything that the page may read, so no task tokens and no keys. @throws RequestFailed. */
export async function exportText(
  api: Pick<Api, 'read' | 'wholeCalls'>,
  id: string,
  format: Format,
): Promise<ExportedText> {
  const conversation = await wholeConversation(api, id);
  const [text, type, ending] =
    format === 'json'
      ? [`${JSON.stringify(conversation, undefined, 2)}\n`, 'application/json', 'json']
      : [conversationMarkdown(conversation), 'text/markdown', 'md'];
  return { content: new Blob([text], { type: `${type};charset=utf-8` }), name: exportName(conversation, ending) };
}
