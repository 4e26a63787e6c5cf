import type { Node } from './table-cells';

/** A letter of any script has so few marks. A stack of a hundred is painted over the lines around it, such as where a link leads. */
const mostMarks = 6;
const stack = new RegExp(`(\\p{M}{${mostMarks}})\\p{M}+`, 'gu');

/** Returns a text with no letter under or over a stack of marks. */
export const withFlatMarks = (text: string): string => text.replace(stack, '$1');

/** Does so with all text but blocks of code, which are clipped, and copied as they are. */
export const flatMarks = () => (tree: Node) => {
  const look = (node: Node): void => {
    if (node.type === 'text' && typeof node.value === 'string') node.value = withFlatMarks(node.value);
    else if (node.tagName !== 'pre') node.children?.forEach(look);
  };
  look(tree);
};
