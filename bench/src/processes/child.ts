import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A program of this folder as a process of its own, which answers one request after another. */
export interface Child {
  ask(request: unknown): Promise<unknown>;
  /** Seconds of processor time that it has used. */
  cpuSeconds(): Promise<number>;
  /** The memory that it holds, in MB. */
  megabytes(): Promise<number>;
  end(): Promise<void>;
}

export function startChild(name: string): Child {
  const child = fork(fileURLToPath(new URL(`${name}.ts`, import.meta.url)), [], {
    execArgv: [...process.execArgv, '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const gone = once(child, 'exit').then((): never => {
    throw new Error(`The process ${name} has ended: ${said}`);
  });
  gone.catch(() => undefined);
  const ask = async (request: unknown): Promise<unknown> => {
    const answered = once(child, 'message');
    child.send({ request });
    const [answer]: unknown[] = await Promise.race([answered, gone]);
    return answer;
  };
  return {
    ask,
    cpuSeconds: async () => Number(await ask('cpu')),
    megabytes: async () => Number(await ask('memory')),
    async end() {
      // One that has failed has ended already, and what asked it says why.
      if (!child.connected) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
