import { buildBrCode } from '@railyard/identifiers/br-code';
import { listen } from './listen.ts';

export interface Collection {
  readonly id: string;
  readonly reference: string;
  readonly expiryDate: string | undefined;
  status: string;
  amount: string;
  currency: string;
}

/**
 * A collection provider as the world has them: codes live for days, notifications are not signed, and a lookup says for a while what
 * was true before.
 */
export async function lateProvider() {
  const collections: Collection[] = [];
  const state = {
    /** `false`: answers without saying how long the code is valid. */
    saysValidity: true,
    /** How many lookups of a collection still show what it was before it was paid. */
    lag: 0,
    /** `true`: lookups are answered with 503. */
    down: false,
    /** Every lookup, by the collection's id. */
    looked: [] as string[],
  };
  const shownBefore = new Map<string, { status: string; left: number }>();
  const view = (collection: Collection, status = collection.status) => ({
    id: collection.id,
    reference: collection.reference,
    status,
    amount: collection.amount,
    currency: collection.currency,
    qrCode: codeOf(collection.id),
    ...(state.saysValidity && collection.expiryDate !== undefined && { expiryDate: collection.expiryDate }),
  });
  const server = await listen((request, body, response) => {
    const answer = (status: number, json: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    };
    if (request.method === 'POST') {
      const asked: { reference: string; amount: number; currency: string; expiryDate?: string } = JSON.parse(body);
      const made: Collection = {
        id: `col-${collections.length + 1}`,
        reference: asked.reference,
        expiryDate: asked.expiryDate,
        status: 'CREATED',
        amount: asked.amount.toFixed(2),
        currency: asked.currency,
      };
      collections.push(made);
      return answer(201, view(made));
    }
    const wanted = request.url?.split('/').at(-1);
    const found = collections.find(({ id, reference }) => id === wanted || reference === wanted);
    if (found === undefined) return answer(404, { error: 'No such collection.' });
    state.looked.push(found.id);
    if (state.down) return answer(503, { error: 'Come again.' });
    const before = shownBefore.get(found.id);
    if (before === undefined || before.left === 0) return answer(200, view(found));
    before.left -= 1;
    return answer(200, view(found, before.status));
  });
  return {
    url: server.url,
    collections,
    state,
    /** The payer pays; the next lookups may not show it yet. */
    pay(collection: Collection, change: Partial<Pick<Collection, 'amount' | 'currency'>> = {}) {
      shownBefore.set(collection.id, { status: collection.status, left: state.lag });
      Object.assign(collection, { status: 'PAID', ...change });
    },
    /** Sends a notification that nothing signs. @returns the HTTP status of the answer */
    async notify(serviceUrl: string, { id, reference, status, amount, currency }: Collection): Promise<number> {
      const reply = await fetch(`${serviceUrl}/notify/collection`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id, reference, status, amount, currency }),
      });
      return reply.status;
    },
    close: server.close,
  };
}

function codeOf(id: string): string {
  const url = `pix.example/qr/${id}`;
  const built = buildBrCode({ kind: 'dynamic', url, merchantName: 'Loja Exemplo', merchantCity: 'SAO PAULO' });
  return built.ok ? built.text : '';
}

export type LateProvider = Awaited<ReturnType<typeof lateProvider>>;
