import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { listen } from '../support/listen.ts';

/** What it took, or gave back. */
export interface HostileEntry {
  readonly id: string;
  readonly reference: string;
  /** Our reference of the payment: its own, or that of what is given back. */
  readonly payment: string;
  readonly amount: string;
  /** How often the money moved. */
  times: number;
  lookups: number;
}

const paySchema = z.object({ reference: z.string(), amount: z.string() });
const backSchema = z.object({ id: z.string(), payment: z.string() });

/** What is approved of whatever is asked for. */
const PART = '6.00';
/** So many lookups know nothing yet. */
const LAG = 1;
/** With a NUL, and half of a character of two units. */
const ODD_TEXT = 'Sent\u0000 by \uD83D provider';
/** Its clock is three hours behind. */
const CLOCK_BEHIND_MS = 3 * 3_600_000;
/** Bodies of other systems that notify the same address. */
const FOREIGN = ['{}', '{"event":"report.available"}', '{"event":"e-1","id":"of-another-shop","reference":"order 7"}'];

/** Cents, with the fraction of zero that some languages write behind each number. */
const centsOf = (amount: string): string => `${Number(amount.replace('.', ''))}.0`;

/**
 * The provider behind the hostile connector. A key that it has seen it refuses. What it is asked for at `late` it does after a first lookup,
 * having answered 503 with the body of a refusal; at `unauthorized` it does it and answers 401, at `twice` it does it and gives a name twice; at `part` it takes a part of the amount, at `panel` all of it; at `hold` it holds all of it until it is captured.
 */
export async function hostileProvider() {
  const pays: HostileEntry[] = [];
  const holds: HostileEntry[] = [];
  const backs: HostileEntry[] = [];
  const captures: HostileEntry[] = [];
  const keys = new Set<string>();
  const made = (of: Pick<HostileEntry, 'reference' | 'payment' | 'amount' | 'times'>): HostileEntry => ({
    id: `h-${randomUUID()}`,
    ...of,
    lookups: 0,
  });
  const server = await listen((request, body, response) => {
    const answer = (status: number, json: unknown) => {
      const date = new Date(Date.now() - CLOCK_BEHIND_MS).toUTCString();
      response.writeHead(status, { 'content-type': 'application/json', date });
      response.end(typeof json === 'string' ? json : JSON.stringify(json));
    };
    const shown = ({ id, amount, reference }: HostileEntry) => {
      const back = backs.filter(({ payment }) => payment === reference);
      const backsText = back.map((each) => `{"id":"${each.id}","cents":${centsOf(each.amount)}}`);
      answer(
        200,
        `{"id":"${id}","cents":${centsOf(amount)},"text":${JSON.stringify(ODD_TEXT)},"backs":[${backsText.join()}]}`,
      );
    };
    const [, place = '', name = ''] = (request.url ?? '').split('/');
    if (request.method === 'GET') {
      const entries = place === 'pays' ? [...pays, ...holds] : place === 'backs' ? backs : captures;
      const entry = entries.find(({ reference }) => reference === name);
      if (entry === undefined) return answer(404, { code: 'not_found' });
      entry.lookups += 1;
      // Late: it happens now, and this lookup was faster.
      if (entry.times === 0) entry.times = 1;
      return entry.lookups <= LAG ? answer(404, { code: 'not_found' }) : shown(entry);
    }
    const key = String(request.headers['idempotency-key']);
    if (keys.has(key)) return answer(409, { code: 'in_use' });
    keys.add(key);
    if (place === 'backs' || place === 'captures') {
      const { id, payment: of } = backSchema.parse(JSON.parse(body));
      const taken = (place === 'backs' ? pays : holds).find((each) => each.id === of);
      if (taken === undefined) return answer(404, { code: 'not_found' });
      const entry = made({ reference: id, payment: taken.reference, amount: taken.amount, times: 1 });
      (place === 'backs' ? backs : captures).push(entry);
      return shown(entry);
    }
    const { reference, amount } = paySchema.parse(JSON.parse(body));
    const isLate = name === 'late';
    const pay = made({ reference, payment: reference, amount: name === 'part' ? PART : amount, times: isLate ? 0 : 1 });
    (name === 'hold' ? holds : pays).push(pay);
    if (isLate) return answer(503, { code: 'failed' });
    if (name === 'unauthorized') return answer(401, { code: 'expired' });
    if (name !== 'twice') return shown(pay);
    answer(200, `{"id":"${pay.id}","cents":${centsOf(amount)},"text":"","cents":1}`);
  });
  return {
    url: server.url,
    pays,
    holds,
    backs,
    captures,
    /** The merchant gives the whole of a payment back in the provider's panel; doing so again changes nothing. */
    giveBackInPanel({ reference, amount }: HostileEntry): void {
      if (backs.some(({ payment }) => payment === reference)) return;
      backs.push(made({ reference: randomUUID(), payment: reference, amount, times: 1 }));
    },
    /**
     * Notifies, without a proof, that there is news of a payment, after other systems have notified the same address.
     *
     * @throws Error where any of them is refused
     */
    async hint(url: string, { id, reference }: HostileEntry): Promise<void> {
      for (const body of [...FOREIGN, JSON.stringify({ event: randomUUID(), id, reference })]) {
        const { status } = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
        if (status >= 400 && status < 500) throw new Error(`The notification ${body} was answered with ${status}.`);
      }
    },
    close: server.close,
  };
}
