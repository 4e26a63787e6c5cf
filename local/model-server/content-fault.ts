import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';

type Fault = string | undefined;

/** How the bytes of each type that providers take begin. */
const beginnings: Record<string, RegExp> = {
  'image/png': /^\x89PNG\r\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF[\s\S]{4}WEBP/,
  'application/pdf': /^[\s\S]{0,1019}%PDF-/,
};
const wholeBase64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;

/** Returns why a provider would refuse a file: its type, its Base64, or bytes that are of another type. */
export function mediaFault(mediaType: unknown, base64: unknown, takes: RegExp): Fault {
  if (typeof mediaType !== 'string' || !takes.test(mediaType) || !Object.hasOwn(beginnings, mediaType))
    return `the media type ${JSON.stringify(mediaType)} is not supported`;
  if (typeof base64 !== 'string' || !wholeBase64.test(base64)) return 'the data is not valid base64';
  // ASCII.
  const start = Buffer.from(base64.slice(0, 1_368), 'base64').toString('latin1');
  return beginnings[mediaType]!.test(start) ? undefined : `the bytes do not appear to be of the type ${mediaType}`;
}

/** Returns why a provider would refuse the address of a file: here, files come with the request only. */
export function dataUrlFault(url: unknown, takes: RegExp): Fault {
  const [, type, data] = /^data:([\w/+.-]+);base64,([\s\S]*)$/.exec(typeof url === 'string' ? url : '') ?? [];
  return type === undefined ? 'expected a base64-encoded data URL' : mediaFault(type, data, takes);
}

export const takesImage = /^image\//;
export const takesPdf = /^application\/pdf$/;

/** Returns why OpenAI would refuse the content of a message of chat completions. Only users send pictures and documents. */
export function chatContentFault({ role, content }: ChatCompletionMessageParam, at: string): Fault {
  if (!Array.isArray(content)) return undefined;
  if (content.length === 0) return `Invalid '${at}.content': empty array. Expected an array with minimum length 1.`;
  for (const [index, part] of content.entries()) {
    const place = `${at}.content[${index}]`;
    if (part.type === 'text' || part.type === 'refusal') continue;
    if (role !== 'user') return `Invalid value: '${place}.type' of the role '${role}': supported values are: 'text'.`;
    const fault =
      part.type === 'image_url'
        ? dataUrlFault(part.image_url?.url, takesImage)
        : part.type === 'file'
          ? part.file?.filename
            ? dataUrlFault(part.file.file_data, takesPdf)
            : 'missing the filename'
          : `unknown type ${JSON.stringify((part as { type: unknown }).type)}`;
    if (fault) return `Invalid '${place}.${part.type}': ${fault}.`;
  }
  return undefined;
}
