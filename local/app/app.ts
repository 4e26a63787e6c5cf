import { type Handler, sendJson } from './http-server';
import { type LocalRoutes, localRoutes } from './local-routes';
import { staticFiles } from './static-files';

export interface AppOptions extends LocalRoutes {
  /** The folder of the built page. */
  web?: string;
  /** The page's `/theme.css`, if the deployment has a theme. On AWS the stack writes this file next to the page. */
  theme?: string;
  /** The origin of the files' signed addresses. */
  filesUrl: string;
  /** The template's HTTP API, if it has one. */
  api?: Handler;
}

/** Serves the app's port: `/_local` first, then the page's files, then the API. */
export function app({ web, theme, filesUrl, api, ...local }: AppOptions): Handler {
  const serveLocal = localRoutes(local);
  const servePage = web ? staticFiles(web, filesUrl, theme) : async () => false;
  return async (request, response) => {
    if (request.url === '/_local' || request.url?.startsWith('/_local/')) return serveLocal(request, response);
    // Tells the page how to sign in. On AWS the stack writes this file next to the page.
    if (web && request.url === '/config.json') return sendJson(response, 200, { mode: 'local' });
    if (await servePage(request, response)) return;
    if (api) return api(request, response);
    sendJson(response, 404, { message: 'Not Found' });
  };
}
