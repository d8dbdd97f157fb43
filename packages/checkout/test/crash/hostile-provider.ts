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
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    };
    const shown = ({ id, amount, reference }: HostileEntry) => {
      const back = backs.filter(({ payment }) => payment === reference);
      answer(200, { id, amount, text: ODD_TEXT, backs: back.map(({ id, amount }) => ({ id, amount })) });
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
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"id":"${pay.id}","amount":"${amount}","text":"","amount":"0.01"}`);
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
    /** Notifies, without a proof, that there is news of a payment. */
    async hint(url: string, { id, reference }: HostileEntry): Promise<number> {
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ event: randomUUID(), id, reference }),
      });
      return reply.status;
    },
    close: server.close,
  };
}
