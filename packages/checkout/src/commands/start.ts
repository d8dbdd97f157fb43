import type { standardLog } from '../log/log.ts';
import type { Checkout } from '../service/service.ts';
import { type Command, UsageError } from './command.ts';
import { DEFAULT_CONFIG, loadConfig } from './load-config.ts';

/** Starts the service, which runs until it is asked to stop. */
export const start: Command = {
  usage: [`[config file]                  start the hosted checkout (${DEFAULT_CONFIG} unless given)`],
  async run(args) {
    const [file, ...more] = args;
    if (more.length > 0 || file?.startsWith('-') === true) throw new UsageError('Give one configuration file.');
    // Requests and keys are in what it writes: new files are its owner's alone.
    process.umask(0o077);
    const config = await loadConfig(file);
    const [{ standardLog }, { startCheckout }] = await Promise.all([
      import('../log/log.ts'),
      import('../service/service.ts'),
    ]);
    const log = standardLog();
    const checkout = await startCheckout(config, { log });
    // Before the address is said: a process manager may ask it to stop as soon as it has read it.
    stopOnSignal(checkout, log);
    process.stderr.write(`The checkout listens on ${checkout.url}\n`);
  },
};

/** Connections that are open get this long to bring the request that they may be sending. */
const LAST_CALL_MS = 1000;
/** Process managers kill after 30 seconds in most places; ending by itself says so in the exit code. */
const END_MS = 29_000;
/** For the last lines of the log. */
const LOG_MS = 1000;

/** The first signal lets what is under way finish; the second ends at once, like a crash, which loses nothing either. */
function stopOnSignal(checkout: Checkout, log: ReturnType<typeof standardLog>): void {
  let asked = false;
  const end = () => process.exit(1);
  const stop = () => {
    if (asked) end();
    asked = true;
    setTimeout(end, END_MS).unref();
    void checkout.stop({ lastCallMs: LAST_CALL_MS }).then(() => leave(log));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** Ends the process where the log cannot be written: what waits for it would keep the process for ever. */
async function leave(log: ReturnType<typeof standardLog>): Promise<void> {
  if (!(await log.flush(LOG_MS))) process.exit();
}
