import type { ServerResponse } from 'node:http';
import { listen } from './listen.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** How a hostile provider answers a request. */
const BEHAVIOURS = {
  hangs: () => undefined,
  drips: (response) => {
    response.writeHead(200, JSON_TYPE);
    const drip = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(drip));
  },
  'drips headers': (response) => {
    const drip = setInterval(() => response.writeProcessing(), 10);
    response.on('close', () => clearInterval(drip));
  },
  resets: (response) => response.socket?.resetAndDestroy(),
  closes: (response) => response.socket?.destroy(),
  'is cut off': (response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' });
    response.write('{"id":', () => response.destroy());
  },
  'answers without end': (response) => {
    response.writeHead(200, JSON_TYPE);
    const chunk = ' '.repeat(65_536);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  },
  'answers 500': (response) => answer(response, 500, '{"error":"internal"}'),
  'answers 503': (response) => answer(response, 503, '<html>Service unavailable</html>'),
  'answers 504 with a body of another': (response) => answer(response, 504, '{"id":"x","status":"PAID"}'),
  'answers garbage': (response) => answer(response, 200, '\u0000{]not json'),
  'answers another thing': (response) => answer(response, 201, '{"hello":["world"]}'),
} as const satisfies Readonly<Record<string, (response: ServerResponse) => unknown>>;

export type HostileBehaviour = keyof typeof BEHAVIOURS;
export const HOSTILE = Object.keys(BEHAVIOURS).filter((name): name is HostileBehaviour => name in BEHAVIOURS);
/** They answer, if nonsense: that is no reason not to call them. */
export const ANSWERING: readonly HostileBehaviour[] = ['answers garbage', 'answers another thing'];

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, JSON_TYPE);
  response.end(body);
}

/** Twelve providers that do everything but what they should, each at an address of its own. */
export async function hostileProvider() {
  const asked = new Map<string, number>();
  const server = await listen((request, _body, response) => {
    const name = decodeURIComponent(new URL(request.url ?? '/', 'http://double').pathname.split('/')[1] ?? '');
    const behaviour = HOSTILE.find((each) => each === name);
    asked.set(name, (asked.get(name) ?? 0) + 1);
    if (behaviour === undefined) return answer(response, 404, '{}');
    return BEHAVIOURS[behaviour](response);
  });
  return {
    urlOf: (name: HostileBehaviour) => `${server.url}/${encodeURIComponent(name)}`,
    /** How often it was asked. */
    asked: (name: HostileBehaviour) => asked.get(name) ?? 0,
    close: server.close,
  };
}
