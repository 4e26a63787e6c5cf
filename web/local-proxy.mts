import type { CommonServerOptions, ProxyOptions } from 'vite';

/** The local cloud of an `npm start`. */
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

/** Settings of a Vite server whose requests to these paths go to the local cloud. */
export const besideLocalCloud = (paths: readonly string[]): CommonServerOptions => ({
  // Vite would let every page of this machine read.
  cors: false,
  proxy: Object.fromEntries(paths.map((path) => [path, local])),
});
