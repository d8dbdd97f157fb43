/**
 * Answers the requests of the process that started this one, one after another, until that process lets go.
 *
 * @param answer what becomes of each request but the one for the processor time
 * @param close what is to be done at the end
 */
export function serveRequests(answer: (request: unknown) => Promise<unknown>, close: () => Promise<void>): void {
  process.on('message', (message: { readonly request: unknown }) => {
    void respond(message.request);
  });
  process.once('disconnect', () => void close().then(() => process.exit(0)));
  async function respond(request: unknown): Promise<void> {
    process.send?.(request === 'cpu' ? cpuSeconds() : await answer(request));
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
