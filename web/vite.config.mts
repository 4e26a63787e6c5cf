import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

/** `vite web` serves the page with changes as they are saved, beside an `npm start` that has the API. */
const local = { target: 'http://127.0.0.1:3000', changeOrigin: true };

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tailwindcss()],
  build: {
    outDir: resolve(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    // The page's policy knows no `data:` for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // "use client" means nothing in a page that has no server side.
      onLog: (level, log, say) => log.code === 'MODULE_LEVEL_DIRECTIVE' || say(level, log),
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/agents', '/conversations', '/live', '/memories', '/_local', '/config.json'].map((path) => [path, local]),
    ),
  },
});
