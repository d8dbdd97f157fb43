import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { Db } from './db.ts';
import { listenerConfig, type ServerAddress } from './server-pool.ts';

/** Notifies the other processes on a server that a payment changed. Only a hint, to look at once instead of in a while. */
export interface ChangeBus {
  publish(paymentId: string): void;
  stop(): Promise<void>;
}

export interface ChangeListener {
  /** Another process changed this payment. */
  readonly onChange: (paymentId: string) => void;
  /** Something may have been missed. */
  readonly onGap: () => void;
}

const CHANNEL = 'railyard_changes';
/** A message may have 8000 bytes; an id has 36. */
const IDS_PER_MESSAGE = 200;
const RECONNECT_MS = 1000;
/** More often than a silent connection is given up. */
const HEARTBEAT_MS = 7000;
/** A process that was not heard for so long is gone. */
const GONE_MS = 3 * HEARTBEAT_MS;
/** Added by a process to its sign of life when it begins to listen: the others answer with theirs. */
const HELLO = 'hello';
/** The others answer a process that begins to listen well within this. */
const ANSWER_MS = 1000;

/**
 * Notifies processes by LISTEN and NOTIFY. Changes are sent in a statement of their own, many at once: NOTIFY inside the
 * transaction of each change would let only one of them commit at a time. They are sent only where another process listens: each gives
 * signs of life, and one that begins to listen, anew too, is answered at once.
 */
export function serverChangeBus(db: Db, address: ServerAddress, listener: ChangeListener): ChangeBus {
  const me = randomUUID();
  const listening = listen(address, me, listener);
  const waiting = new Set<string>();
  let sending: Promise<void> | undefined;
  const send = async () => {
    if (!listening.hasOthers()) waiting.clear();
    while (waiting.size > 0) {
      const ids = [...waiting].slice(0, IDS_PER_MESSAGE);
      for (const id of ids) waiting.delete(id);
      // Every waiting request looks again in any case.
      await sql`SELECT pg_notify(${CHANNEL}, ${[me, ...ids].join(' ')})`.execute(db).catch(() => undefined);
    }
    sending = undefined;
  };
  return {
    publish(paymentId) {
      waiting.add(paymentId);
      sending ??= send();
    },
    async stop() {
      waiting.clear();
      await Promise.all([sending, listening.stop()]);
    },
  };
}

/** Keeps one connection that listens; one that breaks is replaced. */
function listen(address: ServerAddress, me: string, { onChange, onGap }: ChangeListener) {
  let stopped = false;
  let client: Client | undefined;
  let reconnecting: NodeJS.Timeout | undefined;
  let connecting: Promise<void> = Promise.resolve();
  const others = otherProcesses();
  const connect = async () => {
    const opened = new Client(listenerConfig(address));
    client = opened;
    const say = (words: string) =>
      void opened.query('SELECT pg_notify($1, $2)', [CHANNEL, words]).catch(() => undefined);
    const heartbeat = setInterval(() => say(me), HEARTBEAT_MS);
    opened.on('error', () => undefined);
    opened.on('notification', ({ payload = '' }) => {
      const [from = '', ...ids] = payload.split(' ');
      if (from === me) return;
      others.heard(from);
      if (ids[0] === HELLO) say(me);
      else for (const id of ids) onChange(id);
    });
    opened.once('end', () => {
      clearInterval(heartbeat);
      others.disconnected();
      if (!stopped) reconnecting = setTimeout(start, RECONNECT_MS);
    });
    await opened.connect();
    await opened.query(`LISTEN ${CHANNEL}`);
    say(`${me} ${HELLO}`);
    others.connected();
    onGap();
  };
  const start = () => {
    connecting = connect().catch(() => client?.end().catch(() => undefined));
  };
  start();
  return {
    hasOthers: others.areThere,
    async stop() {
      stopped = true;
      clearTimeout(reconnecting);
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}

/** The other processes that listen, as far as this one knows: while it cannot hear them they may be there. */
function otherProcesses() {
  const lastHeard = new Map<string, number>();
  let alsoUntil = Infinity;
  return {
    heard: (id: string) => void lastHeard.set(id, performance.now()),
    connected: () => (alsoUntil = performance.now() + ANSWER_MS),
    disconnected: () => (alsoUntil = Infinity),
    areThere(): boolean {
      const now = performance.now();
      for (const [id, at] of lastHeard) if (now - at > GONE_MS) lastHeard.delete(id);
      return lastHeard.size > 0 || now < alsoUntil;
    },
  };
}
