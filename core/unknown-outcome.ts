import type { FunctionTool } from './tool';

/** What the model reads of a call that may have taken effect, and how it finds out. */
export const unknownOutcome = ({ verify }: Pick<FunctionTool, 'verify'>): string =>
  `Whether it took effect is unknown: check ${verify ? `with ${verify.name} ` : ''}before you try again.`;
