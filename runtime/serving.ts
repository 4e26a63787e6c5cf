/** Marks what a handler serves. The build compares it with what its file exports (`infra/bundling/bundle-loader.ts`). */
const serves = Symbol.for('vigil.serves');

export const serving = <Handler extends object>(handler: Handler, served: { name: string }): Handler =>
  Object.defineProperty(handler, serves, { value: served });
