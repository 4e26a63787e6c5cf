/** An element of the XML that services answer with. Its attributes are left out. */
export interface XmlElement {
  readonly name: string;
  readonly children: XmlElement[];
  text: string;
}

/** Returns the document's outer element, or one without a name where the text is no XML. */
export function parseXml(text: string): XmlElement {
  const top: XmlElement = { name: '', children: [], text: '' };
  const open = [top];
  // A tag and the text up to the next one.
  for (const [, closing, name, empty, words] of text.matchAll(/<(\/?)([\w:.-]+)[^>]*?(\/?)>([^<]*)/g)) {
    if (closing === '') {
      const element: XmlElement = { name: name!, children: [], text: '' };
      open.at(-1)!.children.push(element);
      if (empty === '') open.push(element);
    } else if (open.length > 1) open.pop();
    const inside = open.at(-1)!;
    inside.text += unescaped(words!);
  }
  return top.children[0] ?? top;
}

/** The children of a name. */
export const childrenOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child) => child.name === name);

/** The text of the first element of a name, however deep it lies. */
export function textOf(element: XmlElement, name: string): string | undefined {
  if (element.name === name) return element.text;
  for (const child of element.children) {
    const found = textOf(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? all;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}
