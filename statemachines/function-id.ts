/**
 * Returns the id of a function tool's construct: `current_time` becomes `CurrentTime`. The placeholder of its ARN and
 * the folder of its bundle have the same name.
 */
export const functionId = (tool: string): string =>
  tool
    .split('_')
    // The name of a tool is ASCII.
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
