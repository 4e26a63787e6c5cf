import PostalMime, { type Address } from 'postal-mime';

/** A part of a mail. */
interface MailPart {
  filename: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** The words of a mail, or the page that it has instead, and what is attached. */
interface Mail {
  heading: string;
  text?: string;
  html?: string;
  parts: MailPart[];
}

/** Reads a mail (RFC 5322) with the lines of its heading that a person sees. */
export async function parseMail(bytes: Uint8Array): Promise<Mail> {
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer', maxNestingDepth: 20 });
  const lines: [string, string | undefined][] = [
    ['From', namesOf(mail.from)],
    ['To', namesOf(mail.to)],
    ['Cc', namesOf(mail.cc)],
    ['Date', mail.date],
    ['Subject', mail.subject],
  ];
  return {
    heading: lines.flatMap(([name, value]) => (value ? `${name}: ${value}\n` : [])).join(''),
    text: mail.text,
    html: mail.html,
    parts: mail.attachments
      // Pictures within the page are drawn there.
      .filter(({ related, mimeType }) => !(related && mimeType.startsWith('image/')))
      .map(({ filename, mimeType, content }) => ({
        filename: filename ?? 'a part without a name',
        mediaType: mimeType,
        bytes: new Uint8Array(content as ArrayBuffer),
      })),
  };
}

const namesOf = (given: Address | readonly Address[] | undefined): string =>
  [given ?? []]
    .flat()
    .flatMap((one): string | string[] =>
      one.group ? namesOf(one.group) : one.name ? `${one.name} <${one.address}>` : (one.address ?? ''),
    )
    .join(', ');
