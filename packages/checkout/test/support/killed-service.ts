import { type Db, openDatabase } from '../../src/storage/index.ts';
import { newDataDir } from './data-dir.ts';
import { freePort } from './listen.ts';
import { mobileMoneyProvider } from './mobile-money-provider.ts';
import { pixProvider } from './pix-provider.ts';
import { receiver } from './receiver.ts';
import { type GivenProvider, type KillOfItself, spawnService } from './spawn-service.ts';

/** Where the service is killed, in the order of a payment. */
export const KILL_POINTS = ['before-call', 'before-reply', 'after-reply', 'after-commit'] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

const itself = (point: KillPoint | undefined): KillOfItself =>
  point === 'before-call' || point === 'after-reply' ? point : 'never';

/** A provider, and the deployment that it is the provider of. */
interface Outside<P> {
  readonly provider: P;
  readonly given: GivenProvider;
  readonly deployment?: 'mobile-money';
  /** Where the provider is told to leave a request unanswered. */
  readonly state: { beforeReply: (entry: never) => boolean };
}

/** With Pix. */
export async function killedService() {
  const provider = await pixProvider();
  return killedServiceOf({ provider, given: provider, state: provider });
}

/** With mobile money. */
export async function killedMobileService() {
  const provider = await mobileMoneyProvider();
  const { url, secretKey: apiKey, notificationSecret: webhookSecret, state } = provider;
  return killedServiceOf({ provider, given: { url, apiKey, webhookSecret }, deployment: 'mobile-money', state });
}

/** A service process on a directory of its own, with a provider and a merchant that live on when it is killed. */
async function killedServiceOf<P extends { close(): Promise<void> }>({ provider, state, given, ...of }: Outside<P>) {
  const shop = await receiver();
  const directory = await newDataDir();
  const port = await freePort();
  const start = (kill: KillOfItself) =>
    spawnService({ ...of, provider: given, callbackUrl: shop.url, port, place: directory.place, kill });
  let running = start('never');
  await running.ready;

  /** Provider and merchant kill the service, or let it be. */
  const arm = (point: KillPoint | undefined) => {
    const killed = () => !running.kill('SIGKILL');
    state.beforeReply = point === 'before-reply' ? killed : () => true;
    shop.state.beforeAnswer = point === 'after-commit' ? killed : () => true;
  };

  const restart = async (killAgain?: KillPoint) => {
    arm(killAgain);
    running = start(itself(killAgain));
    if (killAgain === undefined) await running.ready;
  };

  return {
    provider,
    shop,
    get running() {
      return running;
    },
    restart,
    /** Does something, is killed at each point, the later ones while it recovers, and starts again. @returns how it ended each time */
    async doAndKill(points: readonly KillPoint[], act: () => Promise<unknown>) {
      const endings = [];
      const [first, ...later] = points;
      arm(first);
      await running.killItself(itself(first));
      const acted = act().catch(() => undefined);
      endings.push(await running.ended);
      await acted;
      for (const point of later) {
        await restart(point);
        await running.ready.catch(() => undefined);
        endings.push(await running.ended);
      }
      await restart();
      return endings.map(({ signal }) => signal);
    },
    /** Ends the service as an operator does and reads what it left. */
    async stopAndRead<T>(read: (db: Db) => Promise<T>) {
      running.kill('SIGTERM');
      const ending = await running.ended;
      // Refused if the service still held its directory.
      const { db, close } = await openDatabase({ dataDir: directory.path });
      try {
        return { ending, found: await read(db) };
      } finally {
        await close();
      }
    },
    async end() {
      running.kill('SIGKILL');
      await running.ended;
      await shop.close();
      await provider.close();
      await directory.remove();
    },
  };
}
