import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { listen } from '../support/listen.ts';

export interface Reservation {
  readonly id: string;
  readonly reference: string;
  readonly amount: string;
  status: 'RESERVED' | 'CHARGED' | 'LAPSED';
  /** How often money was taken. */
  charges: number;
}

const reserveSchema = z.object({ reference: z.string(), amount: z.string() });
const confirmSchema = z.object({ id: z.string(), code: z.string() });

/** The provider behind the two-step connector. It takes money as often as it is asked to. */
export async function twoStepProvider() {
  const ledger: Reservation[] = [];
  const state = {
    /** Whether reservations have run out by the time somebody asks for them. */
    lapsing: false,
  };
  const server = await listen((request, body, response) => {
    const answer = (status: number, json: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    };
    if (request.url === '/reserve') {
      const { reference, amount } = reserveSchema.parse(JSON.parse(body));
      const made: Reservation = { id: `r-${randomUUID()}`, reference, amount, status: 'RESERVED', charges: 0 };
      ledger.push(made);
      return answer(200, made);
    }
    if (request.url === '/confirm') {
      const { id } = confirmSchema.parse(JSON.parse(body));
      const found = ledger.find((entry) => entry.id === id);
      if (found === undefined || found.status === 'LAPSED') return answer(422, { code: 'lapsed' });
      found.status = 'CHARGED';
      found.charges += 1;
      return answer(200, found);
    }
    const reference = request.url?.split('/').at(-1);
    const found = ledger.find((entry) => entry.reference === reference);
    if (found === undefined) return answer(404, { code: 'not_found' });
    if (found.status === 'RESERVED' && state.lapsing) found.status = 'LAPSED';
    answer(200, found);
  });
  return { url: server.url, ledger, state, close: server.close };
}
