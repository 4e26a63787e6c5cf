// What the bundler makes of these files (`binaryFiles` in infra/bundling/bundle.ts).

declare module '*.wasm' {
  const bytes: Uint8Array;
  export default bytes;
}
declare module '*.ttf' {
  const bytes: Uint8Array;
  export default bytes;
}
