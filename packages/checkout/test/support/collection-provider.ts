import { randomUUID } from 'node:crypto';
import { buildBrCode } from '@railyard/identifiers/br-code';
import { listen } from './listen.ts';

interface Collection {
  readonly id: string;
  readonly reference: string;
  readonly amount: number;
  readonly callbackUrl: string;
  status: CollectionStatus;
}

type CollectionStatus = 'CREATED' | 'PENDING' | 'PAID' | 'FAILED';

/**
 * A Pix provider whose notifications are not signed: they only say where to look.
 *
 * @param more what its answers have beside what its connector declares
 */
export async function collectionProvider(more: object = {}) {
  const collections: Collection[] = [];
  const view = ({ callbackUrl: _callbackUrl, ...collection }: Collection) => {
    const built = buildBrCode({
      kind: 'dynamic',
      url: `pix.example/qr/${collection.id}`,
      merchantName: 'Loja Exemplo',
      merchantCity: 'SAO PAULO',
    });
    return { ...collection, currency: 'BRL', qrCode: built.ok ? built.text : '', ...more };
  };
  const server = await listen((request, body, response) => {
    const answer = (status: number, json: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    };
    if (request.method === 'POST') {
      const sent: Pick<Collection, 'reference' | 'amount' | 'callbackUrl'> = JSON.parse(body);
      const { reference, amount, callbackUrl } = sent;
      const made: Collection = { id: `col-${randomUUID()}`, reference, amount, callbackUrl, status: 'CREATED' };
      collections.push(made);
      return answer(201, view(made));
    }
    const found = collections.find(({ id }) => request.url?.endsWith(id) === true);
    return found === undefined ? answer(404, { error: 'unknown' }) : answer(200, view(found));
  });
  /** The newest collection stands so, and says where to look. */
  const report = async (status: CollectionStatus): Promise<void> => {
    const newest = collections.at(-1);
    if (newest === undefined) throw new Error('There is no collection.');
    newest.status = status;
    const headers = { 'content-type': 'application/json' };
    await fetch(newest.callbackUrl, { method: 'POST', headers, body: JSON.stringify(view(newest)) });
  };
  return { url: server.url, close: server.close, report, payNewest: () => report('PAID') };
}
