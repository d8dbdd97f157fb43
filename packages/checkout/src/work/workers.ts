import type { ServiceContext } from '../service-context.ts';

/** A piece of background work: does what is due and says how much it was. */
export interface Work<C = ServiceContext> {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (context: C) => Promise<number>;
  /** Waits for what `run` has begun and not awaited. */
  readonly settle?: () => Promise<void>;
}

export interface Workers {
  /** Does a piece of work soon, because something has just become due. */
  poke(name: string): void;
  /** Waits for the work under way. */
  stop(): Promise<void>;
}

/** Runs each piece of work in its own rhythm; one that found something to do looks again at once. A failure is logged and tried again. */
export function startWorkers<C extends Pick<ServiceContext, 'log'>>(context: C, works: readonly Work<C>[]): Workers {
  const loops = new Map(works.map((work) => [work.name, startLoop(context, work)]));
  return {
    poke: (name) => loops.get(name)?.poke(),
    stop: async () => {
      await Promise.all([...loops.values()].map((loop) => loop.stop()));
    },
  };
}

function startLoop<C extends Pick<ServiceContext, 'log'>>(context: C, work: Work<C>) {
  let stopped = false;
  let wake: () => void = () => undefined;
  let poked = false;
  const rest = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, work.everyMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (poked || stopped) wake();
    });
  const loop = async () => {
    while (!stopped) {
      poked = false;
      const found = await work.run(context).catch((error: unknown) => {
        context.log.error({
          event: 'work-failed',
          work: work.name,
          error: error instanceof Error ? error.message : 'unknown',
        });
        return 0;
      });
      if (found === 0) await rest();
    }
  };
  const running = loop();
  return {
    poke() {
      poked = true;
      wake();
    },
    async stop() {
      stopped = true;
      wake();
      await running;
      await work.settle?.();
    },
  };
}
