/** `vigil/ag-ui`: the agent of `vigil-client` for clients of AG-UI. @packageDocumentation */
export type * from 'vigil-client/ag-ui';
export { VigilAgent } from 'vigil-client/ag-ui';
