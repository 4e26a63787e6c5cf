interface Node {
  type?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: Node[];
}

/**
 * Gives each block its side: right to left if its first letter is. Only the outermost blocks, because a browser leaves elements with a side of
 * their own out when it looks for a list's first letter. What is inside has its side by CSS (`unicode-bidi: plaintext`).
 */
export const sides = () => (tree: Node) => {
  for (const block of tree.children ?? [])
    if (block.type === 'element' && block.tagName !== 'pre') block.properties = { ...block.properties, dir: 'auto' };
};
