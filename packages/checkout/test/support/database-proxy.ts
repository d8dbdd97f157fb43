import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Stands between a service and its server, and keeps answers from it. */
export async function databaseProxy(url: string) {
  const target = new URL(url);
  const real = { host: target.hostname, port: Number(target.port) };
  const sockets = new Set<Socket>();
  const state = {
    /** Nothing that the server says arrives. */
    mute: false,
    /** Nobody gets through: connections end at once. */
    closed: false,
    /** The statement with these words is done; then its connection ends without the answer. Once. */
    loseAnswerTo: undefined as string | undefined,
    /** Called when that happened. */
    onLost: (): void => undefined,
  };
  const listener = createServer((client) => {
    if (state.closed) return client.destroy();
    const server = connect(real);
    let losing = false;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (state.loseAnswerTo !== undefined && bytes.includes(state.loseAnswerTo)) {
        losing = true;
        state.loseAnswerTo = undefined;
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (losing) {
        state.onLost();
        client.destroy();
      } else if (!state.mute) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve);
  });
  const address = listener.address() as AddressInfo;
  target.port = String(address.port);
  return {
    url: target.href,
    state,
    /** Ends every connection. */
    dropAll() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        listener.close(resolve);
      });
    },
  };
}
