import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { CONNECTOR_OPTIONS, findConnectors } from '../connectors/find-connectors.ts';
import type { Io } from '../output/io.ts';
import { type Command, type Given, textOf, UsageError } from './command.ts';

/** Tells a process that it serves the page, and which version of the connector it has. */
const CHILD = 'RAILYARD_PLAYGROUND';

export const playground: Command = {
  usage: 'playground [--port PORT]',
  help: 'Serves a page on this machine: a form made from a method’s schema, and beside it the request that the connector would send, each field with its origin. Sends it to a simulated provider and replays notifications. Reloads the connector when one of its files changes.',
  options: {
    port: { type: 'string', hint: 'PORT', says: 'where it listens; default: 8090; 0 for any free port' },
    ...CONNECTOR_OPTIONS,
  },
  words: [0, 0],
  async run(given, io) {
    const port = Number(textOf(given, 'port') ?? 8090);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new UsageError('--port takes a number up to 65535.');
    await (io.env[CHILD] === undefined ? watchOver(given, io, port) : serveOnce(given, io, port));
    return { code: 0, json: undefined, text: () => '' };
  },
};

/** Serves one version of the connectors, and sends its address to the parent process. */
async function serveOnce(given: Given, io: Io, port: number): Promise<void> {
  const found = await findConnectors(given, io.cwd);
  const { servePlayground } = await import('../playground/server.ts');
  const serving = await servePlayground(found, port, io.env[CHILD] ?? '');
  process.send?.({ url: serving.url });
  await Promise.race([io.stopped(), new Promise((resolve) => void process.once('disconnect', resolve))]);
  await serving.close();
  // The channel to the parent would keep the process alive.
  if (process.connected) process.disconnect?.();
}

/** The files of a connector's code; a log that is written in its folder changes nothing. */
const CODE = /\.([cm]?[jt]s|json)$/;
const NOT_OURS = /(^|[/\\])(node_modules|\.git|\.cache)([/\\]|$)/;

/** Changes within this time are one: editors write a file in several steps. */
const SETTLE_MS = 60;

/**
 * Modules cannot be loaded twice in a process, so that each version of the connectors has a process of its own; the address stays.
 * One that does not load is waited for.
 */
async function watchOver(given: Given, io: Io, first: number): Promise<void> {
  // Also reports problems of the connectors at once.
  const { folders } = await findConnectors(given, io.cwd);
  let port = first;
  let version = 0;
  let child = start();
  let timer: NodeJS.Timeout | undefined;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const before = child;
      before.once('exit', () => {
        child = start();
      });
      if (before.exitCode === null) before.kill('SIGTERM');
      else child = start();
    }, SETTLE_MS);
  };
  const watchers = folders.map((folder) =>
    watch(folder, { recursive: true }, (_event, name) => {
      if (name !== null && CODE.test(name) && !NOT_OURS.test(name)) changed();
    }),
  );
  await io.stopped();
  watchers.forEach((each) => each.close());
  clearTimeout(timer);
  child.removeAllListeners('exit');
  child.kill('SIGTERM');

  function start() {
    version += 1;
    const script = process.argv[1] ?? '';
    const args = process.argv
      .slice(2)
      .filter((arg, index, all) => !arg.startsWith('--port') && all[index - 1] !== '--port');
    const started = spawn(process.execPath, [...process.execArgv, script, ...args, '--port', String(port)], {
      cwd: io.cwd,
      env: { ...process.env, [CHILD]: String(version) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const mine = version;
    started.once('message', (message: { readonly url: string }) => {
      port = Number(new URL(message.url).port);
      io.err.write(
        mine === 1 ? `The playground is at ${message.url}; Ctrl-C ends it.\n` : 'The connector was loaded again.\n',
      );
    });
    return started;
  }
}
