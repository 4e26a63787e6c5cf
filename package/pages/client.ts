/** `vigil/client`: the package `vigil-client`. */
export * from 'vigil-client';
