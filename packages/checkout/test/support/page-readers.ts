// Run by itself, because the streams of ten thousand pages have as many sockets on each side: listens to the updates of every page
// that standard input names, one address a line, until it is killed. Says `open` once all of them have begun, and how one was lost.
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** Pages that begin to listen at once. */
const AT_ONCE = 50;
// A kept connection that the service has closed meanwhile would fail the next page.
const agent = new Agent({ keepAlive: false, maxSockets: Infinity });
const lost = (why: string) => writeSync(1, `lost: ${why}\n`);

async function listen(page: string): Promise<void> {
  const request = get(`${page}/events`, { agent });
  request.on('error', ({ message }) => lost(message));
  const [reply]: IncomingMessage[] = await once(request, 'response');
  if (reply?.statusCode !== 200) lost(`status ${reply?.statusCode}`);
  reply?.resume().on('close', () => lost('closed'));
}

const pages = (await text(process.stdin)).split('\n').filter((line) => line !== '');
const left = pages.values();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (const page of left) await listen(page);
  }),
);
writeSync(1, 'open\n');
