import type { FunctionTool, Tool } from '../agent/tool';

/** Tells the model that a call may have taken effect, and how to check. */
export const unknownOutcome = (tool: Tool | Pick<FunctionTool, 'verify'> | undefined): string => {
  const verify = tool && 'verify' in tool ? tool.verify : undefined;
  return `Whether it took effect is unknown: check ${verify ? `with ${verify.name} ` : ''}before you try again.`;
};
