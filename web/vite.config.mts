import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type ProxyOptions } from 'vite';

/** `vite web` serves the page with changes as they are saved, beside an `npm start` that has the API. */
const target = `http://127.0.0.1:${process.env.PORT || 3000}`;
const local: ProxyOptions = {
  target,
  changeOrigin: true,
  // The local cloud serves only its own page, and this page stands for it. Other pages keep their origin.
  configure: (proxy) =>
    proxy.on('proxyReq', (passed, { headers }) => {
      if (headers.origin === `http://${headers.host}`) passed.setHeader('origin', target);
    }),
};

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
    // Vite would let every page of this machine read.
    cors: false,
    proxy: Object.fromEntries(
      [
        ...['/agents', '/approvals', '/conversations', '/devices', '/home', '/live', '/memories', '/notifications'],
        ...['/search', '/settings', '/timers', '/usage', '/_local', '/config.json'],
      ].map((path) => [path, local]),
    ),
  },
});
