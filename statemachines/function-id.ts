/**
 * The id of a function tool's construct, which is also the placeholder of its ARN in a definition and the folder of its
 * bundle: `current_time` is served by `CurrentTime`.
 */
export const functionId = (tool: string): string =>
  tool
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
