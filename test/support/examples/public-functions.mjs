/**
 * Prints the public functions and classes of entries, with their docstrings, as JSON. A process of its own, because TypeScript's
 * compiler is an ES module, which Jest's modules cannot load.
 *
 *     node public-functions.mjs <tsconfig.json> <entries as JSON: name to file>
 */
import { SyntaxKind } from 'typescript/unstable/ast';
import { API, SignatureKind, SymbolFlags } from 'typescript/unstable/sync';

const [, , configuration, entries] = process.argv;
const api = new API({ cwd: process.cwd() });
const snapshot = api.updateSnapshot({ openProjects: [configuration] });
const project = snapshot.getProject(configuration);
const { checker, program } = project;

/** Whether it is exported as a type alone, by `export type { A }` or `export { type A }`. */
function isTypeAlone(symbol) {
  const specifier = symbol.declarations[0]?.resolve(project);
  if (specifier?.kind !== SyntaxKind.ExportSpecifier) return false;
  return specifier.isTypeOnly || specifier.parent.parent.isTypeOnly;
}

function isFunction(symbol) {
  const type = checker.getTypeOfSymbol(symbol);
  const count = (kind) => checker.getSignaturesOfType(type, kind).length;
  return count(SignatureKind.Call) + count(SignatureKind.Construct) > 0;
}

/** Returns the docstrings before a declaration; those of overloads are each before their own. */
function docsOf(handle) {
  let node = handle.resolve(project);
  if (node.kind === SyntaxKind.VariableDeclaration) node = node.parent.parent;
  const { text, fileName } = node.getSourceFile();
  const beginning = text.slice(node.getFullStart(), node.getStart());
  return [...beginning.matchAll(/\/\*\*.*?\*\//gs)].map(([doc]) => ({
    file: fileName,
    line: text.slice(0, node.getFullStart() + beginning.indexOf(doc)).split('\n').length,
    doc,
  }));
}

const found = new Map();
for (const [entry, file] of Object.entries(JSON.parse(entries))) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file));
  for (const exported of checker.getExportsOfModule(module)) {
    if (isTypeAlone(exported)) continue;
    const symbol = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    if (!(symbol.flags & SymbolFlags.Value)) continue;
    if (isFunction(symbol)) add(symbol, `${entry}: ${exported.name}`);
    else for (const method of methodsOf(symbol)) add(method, `${entry}: ${exported.name}.${method.name}`);
  }
}

/** The functions of an object that is written where it is declared. */
function methodsOf(symbol) {
  const properties = checker.getPropertiesOfType(checker.getTypeOfSymbol(symbol));
  const isWritten = (one) => one.valueDeclaration?.resolve(project)?.kind === SyntaxKind.PropertyAssignment;
  return properties.filter((one) => isWritten(one) && isFunction(one));
}

function add(symbol, name) {
  const place = symbol.valueDeclaration.resolve(project);
  const [declaredIn, position] = [place.getSourceFile(), place.getStart()];
  const key = `${declaredIn.fileName}:${position}`;
  const known = found.get(key) ?? {
    names: [],
    file: declaredIn.fileName,
    line: declaredIn.text.slice(0, position).split('\n').length,
    docs: symbol.declarations.flatMap(docsOf),
  };
  known.names.push(name);
  found.set(key, known);
}
api.close();
process.stdout.write(JSON.stringify([...found.values()]));
