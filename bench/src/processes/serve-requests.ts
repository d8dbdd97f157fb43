/**
 * Answers the requests of the process that started this one, one after another, until that process lets go.
 *
 * @param answer what becomes of each request but those for processor time and memory
 * @param close what is to be done at the end
 */
export function serveRequests(answer: (request: unknown) => Promise<unknown>, close: () => Promise<void>): void {
  process.on('message', (message: { readonly request: unknown }) => {
    void respond(message.request);
  });
  process.once('disconnect', () => void close().then(() => process.exit(0)));
  async function respond(request: unknown): Promise<void> {
    process.send?.(request === 'cpu' ? cpuSeconds() : request === 'memory' ? megabytes() : await answer(request));
  }
}

const megabytes = () => process.memoryUsage().rss / 2 ** 20;

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
