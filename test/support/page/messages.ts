import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ts } from '@ts-morph/common';

/** A call of `t` or `rich` in the page's sources. */
export interface MessageUse {
  place: string;
  /** Undefined if the message is no literal. */
  message?: string;
  /** The names of the values; undefined if they are not written as one object. */
  values?: string[];
  /** The module is evaluated before the reader's language is known. */
  isTooEarly: boolean;
}

export interface Found {
  uses: MessageUse[];
  /** Words that stand in the sources, but in no message. */
  outside: string[];
}

const letters = /\p{L}{2}/u;
/** Attributes whose text is read or heard by people. */
const readAttributes = new Set([
  'aria-label',
  'aria-description',
  'title',
  'placeholder',
  'alt',
  'label',
  'problem',
  'about',
  'close',
]);
/** A text of two words, or one that begins as a sentence does. */
const reads = /\p{L}{2,}['’]?,? \p{L}|^\p{Lu}\p{Ll}+[.…:]?$/u;
/** The catalogue itself. */
const unreadFiles = new Set(['catalogue.ts', 'rich.ts', 'locale.ts']);
/** Functions whose texts no reader sees: errors of the code, classes, and names. */
const unread =
  /^(?:Error|TypeError|RangeError|clsx|lazily|includes|get|set|has|dispatchEvent|matchMedia|closest|querySelector(?:All)?|addEventListener|createElement)$/;
/** Names of keys, of products and of standards stand in every language as they do in English. */
const names =
  /^(?:Vigil|Markdown|JSON|HTML|PDF|Edge?|Enter|Esc|Escape|Tab|Backspace|Delete|Home|End|Space|Arrow\p{L}+|Page(?:Up|Down)|Control|Shift|Alt|Meta|UTC|OK)$/u;

/** Returns the messages of the page's sources, and the words that are outside of them. */
export function findMessages(): Found {
  const files = execFileSync(
    'git',
    ['ls-files', 'web/src/*.ts', 'web/src/*.tsx', 'web/src/**/*.ts', 'web/src/**/*.tsx'],
    {
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((file) => file && !file.endsWith('.test.ts'));
  const found: Found = { uses: [], outside: [] };
  for (const file of new Set(files)) readSource(file, found);
  return found;
}

function readSource(file: string, { uses, outside }: Found): void {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, kind);
  const placeOf = (node: ts.Node) => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  const isPage = file.endsWith('x');
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && /^(?:t|rich)$/.test(node.expression.text)) {
      uses.push({ place: placeOf(node), ...messageIn(node), isTooEarly: !isInFunction(node) });
      for (const value of node.arguments.slice(1)) visit(value);
      return;
    }
    const text = textIn(node);
    if (text !== undefined && !names.test(text.trim()) && isRead(node, text, isPage))
      outside.push(`${placeOf(node)} ${text.trim()}`);
    if (!isUnread(node)) ts.forEachChild(node, visit);
  };
  if (!unreadFiles.has(basename(file))) visit(source);
}

function messageIn({ arguments: [message, values] }: ts.CallExpression): Pick<MessageUse, 'message' | 'values'> {
  const names =
    values === undefined
      ? []
      : ts.isObjectLiteralExpression(values)
        ? values.properties.flatMap(({ name }) => (name && 'text' in name ? [String(name.text)] : []))
        : undefined;
  return {
    ...(message && ts.isStringLiteralLike(message) && { message: message.text }),
    ...(names && { values: names }),
  };
}

function isInFunction(node: ts.Node): boolean {
  for (let outer: ts.Node = node.parent; outer; outer = outer.parent) if (ts.isFunctionLike(outer)) return true;
  return false;
}

const textIn = (node: ts.Node): string | undefined =>
  ts.isJsxText(node) ||
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddle(node) ||
  ts.isTemplateTail(node)
    ? node.text
    : undefined;

function isRead(node: ts.Node, text: string, isPage: boolean): boolean {
  // A selector of elements is none.
  if (isCompared(node) || isNamed(node) || text.startsWith(':')) return false;
  if (ts.isJsxText(node)) return letters.test(text);
  if (ts.isJsxAttribute(node.parent)) return readAttributes.has(node.parent.name.getText()) && letters.test(text);
  // Classes of styles have hyphens, colons and brackets.
  if (
    isPage &&
    /^[\s\w[\]()/:.,%#&>*!=~@'-]*$/.test(text) &&
    /(?:^|\s)(?:[a-z]+-|-?m[trblxy]?-|flex|grid|hidden|truncate|[a-z]+:)/.test(text) &&
    !/[.,]$/.test(text)
  )
    return false;
  return reads.test(text.trim());
}

/** What a value is compared with is the code's, and so are the names of the machine's states. */
const isCompared = ({ parent }: ts.Node): boolean =>
  ts.isCaseClause(parent) ||
  (ts.isPropertyAssignment(parent) && parent.name.getText() === 'state') ||
  (ts.isBinaryExpression(parent) && /^(?:===|!==|in)$/.test(parent.operatorToken.getText()));

/** An argument of a function whose texts no reader sees. */
function isNamed({ parent }: ts.Node): boolean {
  if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return false;
  const called = parent.expression;
  const name = ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
  return unread.test(name) || called.kind === ts.SyntaxKind.ImportKeyword;
}

function isUnread(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return true;
  return ts.isJsxAttribute(node) && /^(?:className|d|viewBox|data-.*|style)$/.test(node.name.getText());
}
