import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as ownPage from '../../../src/page/index.ts';
import type { PageModel } from '../../../src/page/index.ts';

/** One request that a page made, but for the assets. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** One page of the test server. A test changes it while the browser looks at it. */
export interface Served {
  model: PageModel;
  language: string;
  /** Whether `/events` answers with a stream; otherwise the page has to ask. */
  stream: boolean;
  /** Whether the merchant lets its pages show it in a frame. */
  framed: boolean;
  /** Whether the page goes on to the next one by itself; a test that only looks wants it to stay. */
  leaves: boolean;
  /** What a POST answers with; the page itself unless given. */
  postGoesTo?: string;
  readonly seen: Seen[];
  /** Tells the open streams that the version grew. */
  readonly grow: (to: PageModel) => void;
}

export interface PageServer {
  readonly origin: string;
  /** Serves a page under its `base`. */
  readonly serve: (
    model: PageModel,
    options?: Partial<Pick<Served, 'language' | 'stream' | 'framed' | 'leaves' | 'postGoesTo'>>,
  ) => Served;
  readonly url: (served: Served) => string;
  readonly close: () => Promise<void>;
}

/** Serves pages and their assets with the headers that they really have. @param page default: from the sources */
export async function startPageServer(page: typeof ownPage = ownPage): Promise<PageServer> {
  const { encoded, pageAssets, pageHeaders, renderPage } = page;
  const pages = new Map<string, Served & { readonly streams: Set<ServerResponse> }>();
  let count = 0;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const asset = pageAssets.get(pathname);
    if (asset !== undefined) {
      const headers = { 'content-type': asset.contentType, 'content-encoding': 'gzip' };
      return void response.writeHead(200, headers).end(await encoded(asset, 'gzip'));
    }
    if (pathname.startsWith('/frame/')) {
      const inner = `<!doctype html><title>shop</title><iframe src="${pathname.slice('/frame'.length)}" width="400" height="600"></iframe>`;
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(inner);
    }
    const [, auth, token, action = ''] = pathname.split('/');
    const served = pages.get(`/${auth}/${token}`);
    if (served === undefined) return void response.writeHead(404).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    served.seen.push({ method: request.method ?? '', path: action, body });
    if (request.method === 'POST')
      return void response.writeHead(303, { location: served.postGoesTo ?? served.model.base }).end();
    if (action === 'status') {
      const news = { version: served.model.version, final: false };
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(news));
    }
    if (action === 'events') {
      if (!served.stream) return void response.writeHead(503).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      served.streams.add(response);
      return;
    }
    const options = { nonce: `n${(count += 1)}`, language: served.language };
    const model = served.framed ? { ...served.model, frameOrigins: [origin] } : served.model;
    const headers = pageHeaders(model, options);
    const document = renderPage(model, options);
    response.writeHead(200, headers).end(served.leaves ? document : document.replaceAll('data-leave', 'data-stay'));
  };

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const origin = `http://127.0.0.1:${address.port}`;

  return {
    origin,
    url: (served) => `${origin}${served.model.base}`,
    serve: (model, options = {}) => {
      const base = `/auth/token-${(count += 1)}`;
      const streams = new Set<ServerResponse>();
      const served = {
        language: 'en',
        stream: true,
        framed: false,
        leaves: false,
        ...options,
        model: { ...model, base },
        seen: [],
        streams,
        grow: (to: PageModel) => {
          served.model = { ...to, base, version: served.model.version + 1 };
          for (const stream of streams)
            stream.write(`data: ${JSON.stringify({ version: served.model.version, final: false })}\n\n`);
        },
      };
      pages.set(base, served);
      return served;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
