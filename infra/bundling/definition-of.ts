import { type Expression, type ModuleItem, type Property, parse, type Span } from '@swc/core';
import { transform } from 'esbuild';

/**
 * Returns a tool's file without what only the tool's own function needs: the `handler`, the bodies of `execute` and
 * `compensate`, and the imports and top-level constants that nothing else uses. The rest is unchanged.
 *
 * swc finds these parts. esbuild drops the unused constants here, and the unused imports when it loads the result as
 * TypeScript.
 *
 * @param sourcefile the name in the source map.
 * @returns TypeScript with a source map.
 * @throws the parser's error for a file with a syntax error.
 */
export async function definitionOf(source: string, sourcefile: string): Promise<string> {
  // swc counts bytes from the first token. The semicolon makes the first token the start of the file.
  const bytes = Buffer.from(`;${source}`);
  const { body, span } = await parse(bytes.toString(), { syntax: 'typescript', target: 'es2022' });
  let stripped = '';
  let end = 1;
  for (const { at, text } of body.flatMap(editsOf)) {
    const [from, to] = [at.start - span.start, at.end - span.start];
    // The newlines stay, so each line keeps its number.
    const lines = bytes.subarray(from, to).toString().replace(/[^\n]/g, '');
    stripped += bytes.subarray(end, from).toString() + text + lines;
    end = to;
  }
  stripped += bytes.subarray(end).toString();
  const { code } = await transform(stripped, {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    charset: 'utf8',
    treeShaking: true,
    logLevel: 'silent',
    sourcemap: 'inline',
    sourcesContent: false,
    sourcefile,
  });
  return code;
}

/** Replaces the text at `at`. */
interface Edit {
  at: Pick<Span, 'start' | 'end'>;
  text: string;
}

function editsOf(item: ModuleItem): Edit[] {
  const exported = item.type === 'ExportDeclaration';
  const declaration = exported ? item.declaration : item;
  const removed = [{ at: item.span, text: '' }];
  if (declaration.type === 'FunctionDeclaration')
    return exported && declaration.identifier.value === 'handler' ? removed : [];
  if (declaration.type !== 'VariableDeclaration') return [];
  const { declarations } = declaration;
  if (exported && declarations.every(({ id }) => id.type === 'Identifier' && id.value === 'handler')) return removed;
  return declarations.flatMap(({ init }) => (init ? valueEdits(init) : []));
}

/**
 * Marks a value as free of side effects, so that esbuild drops it when nothing uses it. Functions and classes are
 * excluded, to keep their names.
 */
function valueEdits(init: Expression): Edit[] {
  if (/^(ArrowFunction|Function|Class)Expression$/.test(init.type)) return [];
  const { start, end } = spanOf(init);
  return [
    { at: { start, end: start }, text: '/* @__PURE__ */ (() => (' },
    ...toolEdits(init),
    { at: { start: end, end }, text: '))()' },
  ];
}

function toolEdits(init: Expression): Edit[] {
  const call = plain(init);
  if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier' || call.callee.value !== 'defineTool')
    return [];
  const spec = call.arguments[0] && plain(call.arguments[0].expression);
  if (spec?.type !== 'ObjectExpression') return [];
  return spec.properties.flatMap((property) => (property.type === 'SpreadElement' ? [] : runEdits(property)));
}

/** Strips `as`, `satisfies` and parentheses. */
const plain = (expression: Expression): Expression =>
  /^(Ts\w+|ParenthesisExpression)$/.test(expression.type) && 'expression' in expression
    ? plain(expression.expression as Expression)
    : expression;

/** Keeps the property, because whether a tool has a `compensate` is part of its definition. */
function runEdits(property: Property): Edit[] {
  const key = 'key' in property ? property.key : property;
  if (key.type !== 'Identifier' || (key.value !== 'execute' && key.value !== 'compensate')) return [];
  const { start } = property.type === 'KeyValueProperty' ? key.span : spanOf(property);
  const { end } = spanOf(property.type === 'KeyValueProperty' ? property.value : property);
  const text = `${key.value}() { throw new Error('Only the tool’s own function contains its ${key.value}.'); }`;
  return [{ at: { start, end }, text }];
}

/** Every node used here has a span, although its type does not say so. */
const spanOf = (node: object): Span => (node as { span: Span }).span;
