import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { besideLocalCloud } from './local-proxy.mts';

/** `vite web` serves the page with changes as they are saved, beside an `npm start` that has the API. */
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
  server: besideLocalCloud([
    '/agents',
    '/approvals',
    '/conversations',
    '/devices',
    '/home',
    '/live',
    '/memories',
    '/notifications',
    '/search',
    '/settings',
    '/timers',
    '/usage',
    '/_local',
    '/config.json',
  ]),
});
