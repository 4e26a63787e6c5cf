/** `vigil/react`: the hooks of the package `vigil-client`. */
export * from 'vigil-client/react';
