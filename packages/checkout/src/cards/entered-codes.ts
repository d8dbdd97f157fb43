import { createCipheriv, createDecipheriv, createECDH, hkdfSync, timingSafeEqual, type ECDH } from 'node:crypto';
import * as z from 'zod';
import type { Log } from '../log/log.ts';
import { createSecurityCodes } from './security-codes.ts';

/** A card that was entered, and the session that it was entered for. */
export interface EntryPlace {
  readonly entryId: string;
  readonly sessionId: string;
}

/**
 * Security codes of cards that were entered into merchants' forms and not yet paid with, by the entry. A code is in one process. Another one that is
 * asked to pay has it handed over, encrypted for its memory: neither a database nor its disk can read what passes by it.
 */
export interface EnteredCodes {
  /** Past the most that are held the oldest goes. */
  hold(place: EntryPlace, cvv: string, forMs: number): void;
  of(entryId: string): string | undefined;
  /** The code of an entry, from here or from the process that holds it. @param forMs how long it is then held here */
  fetch(place: EntryPlace, forMs: number): Promise<FetchedCode>;
  /** A message of another process. */
  heard(message: string): void;
  forget(entryId: string): void;
  /**
   * Forgets the codes whose entries are over: paid with, replaced or ended in another process, or with an answer that was lost. One that the sweep
   * before has not seen stays, because it is held before its entry is stored.
   *
   * @param entriesOf the entries that these sessions have now
   */
  sweep(entriesOf: (sessionIds: readonly string[]) => Promise<readonly string[]>): Promise<void>;
  /** Forgets all. */
  clear(): void;
}

/** `elsewhere`: another process is being handed the code, and pays with it. `gone`: no process has it. */
export type FetchedCode =
  | { readonly kind: 'here'; readonly cvv: string }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'gone' };

const GONE: FetchedCode = { kind: 'gone' };

/** Well above what two processes take that share a database, and no wait that a payer notices. */
const HANDED_OVER_MS = 2000;

/** Some ten megabytes. A code that goes before its payment is asked for again, so there is room for more payers than a process serves at once. */
const MOST = 50_000;
/** Sessions that one statement looks at. */
const LOOKED_AT = 1000;

const CURVE = 'prime256v1';
const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;
/** Each key encrypts one code. */
const IV = Buffer.alloc(12);

const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ask'), entry: z.uuid(), key: z.string(), proof: z.string() }),
  z.object({ kind: z.literal('tell'), entry: z.uuid(), key: z.string(), code: z.string() }),
  // To the process with this key: the one that says it has asked too.
  z.object({ kind: z.literal('asked'), entry: z.uuid(), key: z.string(), proof: z.string() }),
]);

type Message = z.output<typeof messageSchema>;

interface Waiting {
  readonly own: ECDH;
  readonly end: (fetched: FetchedCode) => void;
  readonly answer: Promise<FetchedCode>;
  /** How it ends where no process answers with the code. */
  unanswered: FetchedCode;
}

/**
 * @param vault whose key the processes of a database have alone: it proves that one of them asks
 * @param say sends a message to the other processes; `false` where there is none
 * @param log has a line for each code that goes because there are too many
 */
export function createEnteredCodes(
  vault: { fingerprint(text: string): string },
  say: (message: string) => boolean,
  log: Pick<Log, 'warn'>,
  { withinMs = HANDED_OVER_MS, most = MOST }: { readonly withinMs?: number; readonly most?: number } = {},
): EnteredCodes {
  const codes = createSecurityCodes(undefined, most, () => log.warn({ event: 'security-code-evicted' }));
  /** Of the held codes, and whether a sweep has seen them. */
  const places = new Map<string, { readonly sessionId: string; seen: boolean }>();
  const questions = new Map<string, Waiting>();
  const send = (message: Message) => say(JSON.stringify(message));
  const proofOf = (kind: 'ask' | 'asked', entry: string, key: string) => vault.fingerprint(`${kind}:${entry}:${key}`);
  const keyOf = (own: ECDH, entry: string, other: string): Uint8Array => {
    const pair = [own.getPublicKey('base64url'), other].toSorted();
    const salt = vault.fingerprint(`code:${entry}:${pair.join(':')}`);
    return new Uint8Array(hkdfSync('sha256', own.computeSecret(other, 'base64url'), salt, 'entered code', 32));
  };

  function hold({ entryId, sessionId }: EntryPlace, cvv: string, forMs: number): void {
    codes.hold(entryId, { cvv }, forMs);
    places.set(entryId, { sessionId, seen: false });
  }

  function forget(entryId: string): void {
    codes.forget(entryId);
    places.delete(entryId);
  }

  function give({ entry, key, proof }: Extract<Message, { kind: 'ask' }>): void {
    if (!isSame(proof, proofOf('ask', entry, key))) return;
    if (questions.has(entry)) return void send({ kind: 'asked', entry, key, proof: proofOf('asked', entry, key) });
    const cvv = codes.of(entry)?.cvv;
    if (cvv === undefined) return;
    const own = ephemeral();
    const cipher = createCipheriv(CIPHER, keyOf(own, entry, key), IV);
    const sealed = Buffer.concat([cipher.update(cvv, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    // From here on it is nowhere but on its way: no two processes pay with one code.
    forget(entry);
    send({ kind: 'tell', entry, key: own.getPublicKey('base64url'), code: sealed.toString('base64url') });
  }

  function take({ entry, key, code }: Extract<Message, { kind: 'tell' }>): void {
    const waiting = questions.get(entry);
    if (waiting === undefined) return;
    const sealed = Buffer.from(code, 'base64url');
    const decipher = createDecipheriv(CIPHER, keyOf(waiting.own, entry, key), IV);
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const cvv = decipher.update(sealed.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    waiting.end({ kind: 'here', cvv });
  }

  function leave({ entry, key, proof }: Extract<Message, { kind: 'asked' }>): void {
    const waiting = questions.get(entry);
    if (waiting?.own.getPublicKey('base64url') !== key || !isSame(proof, proofOf('asked', entry, key))) return;
    waiting.unanswered = { kind: 'elsewhere' };
  }

  return {
    hold,
    of: (entryId) => codes.of(entryId)?.cvv,
    forget,
    async fetch(place, forMs) {
      const { entryId } = place;
      const here = codes.of(entryId)?.cvv;
      if (here !== undefined) return { kind: 'here', cvv: here };
      const known = questions.get(entryId);
      if (known !== undefined) return known.answer;
      const own = ephemeral();
      const key = own.getPublicKey('base64url');
      let end: Waiting['end'] = () => undefined;
      const answer = new Promise<FetchedCode>((resolve) => (end = resolve)).finally(() => questions.delete(entryId));
      const waiting: Waiting = {
        own,
        answer,
        unanswered: GONE,
        end(fetched) {
          if (fetched.kind === 'here') hold(place, fetched.cvv, forMs);
          end(fetched);
        },
      };
      questions.set(entryId, waiting);
      const timer = setTimeout(() => end(waiting.unanswered), withinMs);
      if (!send({ kind: 'ask', entry: entryId, key, proof: proofOf('ask', entryId, key) })) end(GONE);
      return answer.finally(() => clearTimeout(timer));
    },
    heard(text) {
      // A user of the database who may send notifications may send anything.
      try {
        const message = messageSchema.parse(JSON.parse(text));
        if (message.kind === 'ask') give(message);
        else if (message.kind === 'tell') take(message);
        else leave(message);
      } catch {
        return;
      }
    },
    async sweep(entriesOf) {
      const held = [...places];
      for (let from = 0; from < held.length; from += LOOKED_AT) {
        const looked = held.slice(from, from + LOOKED_AT);
        const current = new Set(await entriesOf(looked.map(([, { sessionId }]) => sessionId)));
        for (const [entryId, place] of looked)
          if ((place.seen && !current.has(entryId)) || codes.of(entryId) === undefined) forget(entryId);
          else place.seen = true;
      }
    },
    clear() {
      codes.clear();
      places.clear();
    },
  };
}

function ephemeral(): ECDH {
  const own = createECDH(CURVE);
  own.generateKeys();
  return own;
}

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
