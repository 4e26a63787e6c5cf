import { common, createLowlight } from 'lowlight';

/** The highlighter with its languages, loaded when an answer has code. */
const languages = createLowlight(common);

/** A piece of code and what it is, as a class of highlight.js, such as `hljs-keyword`. */
export interface Piece {
  kind?: string;
  pieces: (Piece | string)[];
}

interface Node {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: Node[];
}

/** Returns the pieces of the code, or undefined for a language that it does not know. */
export function highlight(code: string, language: string): Piece['pieces'] | undefined {
  return languages.registered(language) ? piecesOf(languages.highlight(language, code)) : undefined;
}

const piecesOf = ({ children = [] }: Node): Piece['pieces'] =>
  children.map((child) =>
    child.type === 'text'
      ? (child.value ?? '')
      : { kind: [child.properties?.className].flat().join(' '), pieces: piecesOf(child) },
  );
