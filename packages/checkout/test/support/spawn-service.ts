import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Place } from './data-dir.ts';
import type { PixProvider } from './pix-provider.ts';

const PROGRAM = fileURLToPath(new URL('service-process.ts', import.meta.url));

export type KillOfItself = 'before-call' | 'after-reply' | 'pause-before-call' | 'never';

/** What a deployment is given of its provider. */
export type GivenProvider = Pick<PixProvider, 'url' | 'apiKey' | 'webhookSecret'>;

interface Given {
  readonly provider: GivenProvider;
  /** Pix, unless another one is named. */
  readonly deployment?:
    | 'any-method'
    | 'btcpay'
    | 'card'
    | 'cascading'
    | 'conekta'
    | 'mobile-money'
    | 'paypal'
    | 'paystack'
    | 'pix-bcb';
  readonly callbackUrl: string;
  readonly port: number;
  readonly place: Place;
  /** Where it kills itself while it starts, if it then has something to do. */
  readonly kill: KillOfItself;
  /** More variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A deployment as a child process. `ready` resolves once it listens. */
export function spawnService({ provider, env: more, ...given }: Given) {
  const { url, apiKey, webhookSecret } = provider;
  const CHECKOUT_TEST = JSON.stringify({ ...given, provider: { url, apiKey, webhookSecret } });
  const env = { ...process.env, ...more, CHECKOUT_TEST };
  const child = spawn(process.execPath, ['--conditions=@railyard/source', PROGRAM], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'exit').then(([code, signal]: unknown[]) => ({ code, signal }));
  const told = async (word: string) => {
    const first = await Promise.race([once(child, 'message'), ended]);
    if (!Array.isArray(first) || first[0] !== word) throw new Error(`The service ended before "${word}": ${said}`);
  };
  const pausing = new Promise<void>((resolve) => {
    child.on('message', (word) => word === 'pausing' && resolve());
  });
  return {
    /** Resolves when it is about to stop itself (`pause-before-call`), until somebody sends SIGCONT. */
    pausing,
    url: `http://127.0.0.1:${given.port}`,
    notifyUrl: `http://127.0.0.1:${given.port}/notify/pix-main`,
    ready: told('listening'),
    ended,
    /** What it wrote so far. */
    said: () => said,
    kill: (signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT') => child.kill(signal),
    async killItself(point: KillOfItself) {
      const armed = told('armed');
      child.send(point);
      await armed;
    },
  };
}

export type ServiceProcess = ReturnType<typeof spawnService>;
