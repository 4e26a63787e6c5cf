import { defineConfig } from 'vite';
import { besideLocalCloud } from '../../web/local-proxy.mts';

/** `npx vite examples/use-chat` serves the page beside an `npm start`, to which its requests go. */
export default defineConfig({
  root: import.meta.dirname,
  // In this repository, `vigil` is its own sources. An app needs no such line.
  resolve: { conditions: ['vigil-source', 'module', 'browser', 'import', 'default'] },
  build: { target: 'es2022', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: besideLocalCloud(['/conversations', '/_local']),
});
