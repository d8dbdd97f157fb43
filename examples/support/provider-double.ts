import { createServer } from 'node:http';
import type { ProviderDouble } from '@railyard/conformance';

export {
  jsonReply as reply,
  type LedgerLine,
  type ProviderDouble,
  type ProviderReply,
  type ProviderRequest,
} from '@railyard/conformance';

/** `/payments/17` for the pattern `/payments/{id}` gives `{ id: '17' }`; another path gives nothing. */
export function match(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const found = new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(path);
  return found === null
    ? undefined
    : Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]));
}

/** A provider behind a real server on 127.0.0.1. */
export async function serve(provider: ProviderDouble): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const body = Buffer.concat(chunks).toString('utf8');
      const { method = 'GET' } = request;
      const answer = provider.handle({
        method,
        origin: url.origin,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers,
        body,
      });
      response.writeHead(answer.status).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
