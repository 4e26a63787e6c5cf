/** `vigil/client`: the package `vigil-client`. */
export type * from 'vigil-client';
export { createClient, pagesOf, protocolVersion, RequestFailed } from 'vigil-client';
