/** Tabs of one page that get updates at once; any further one asks now and then. */
const MOST = 5;

/**
 * Counts the streams that are open. One too many ends the oldest of its page: that one may be a phone that has long left its
 * network, while the newest is surely there.
 *
 * @returns begins a stream of a page; what it returns is called when the stream has ended
 */
export function pageStreams(most = MOST): (page: string, stream: AbortController) => () => void {
  const open = new Map<string, Set<AbortController>>();
  return (page, stream) => {
    const streams = open.get(page) ?? new Set();
    open.set(page, streams.add(stream));
    for (const oldest of [...streams].slice(0, -most)) {
      streams.delete(oldest);
      oldest.abort();
    }
    return () => {
      streams.delete(stream);
      if (streams.size === 0) open.delete(page);
    };
  };
}
