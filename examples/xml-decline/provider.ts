import { createHmac } from 'node:crypto';
import { XMLParser } from 'fast-xml-parser';
import type { LedgerLine, ProviderDouble, ProviderReply, ProviderRequest } from '../support/provider-double.ts';

type Fields = Readonly<Record<string, string>>;

const parser = new XMLParser({ parseTagValue: false, ignoreDeclaration: true });

/** A provider that speaks XML, answers declines with 402, and does what it is asked as often as it is asked. */
export class XmlProvider implements ProviderDouble {
  readonly ledger: LedgerLine[] = [];
  /** Documents as they arrived. */
  readonly documents: string[] = [];
  readonly #payments: { id: string; reference: string; amount: string; refunds: Fields[] }[] = [];

  handle({ path, headers, body }: ProviderRequest): ProviderReply {
    const signature = createHmac('sha256', 'sign').update(body).digest('hex');
    if (headers['x-signature'] !== signature) return { status: 401, body: '<error code="1">Signature</error>' };
    this.documents.push(body);
    const fields: Fields = parser.parse(body)[path.slice(1)];
    if (path === '/charge') return this.#charge(fields);
    return path === '/refund' ? this.#refund(fields) : this.#query(fields.reference ?? '');
  }

  #charge({ reference = '', account, amount = '' }: Fields): ProviderReply {
    if (account === '00000051') return refuse('51', 'Not enough money &amp; no credit');
    if (account === '00000014') return refuse('14', 'No such account');
    const id = `x-${this.#payments.length + 1}`;
    this.#payments.push({ id, reference, amount, refunds: [] });
    this.ledger.push({ effect: 'charge', reference, amount });
    return ok(`<payment><id>${id}</id><amount>${amount}</amount></payment>`);
  }

  #refund({ payment, reference = '', amount = '' }: Fields): ProviderReply {
    const known = this.#payments.find(({ id }) => id === payment);
    if (known === undefined) return refuse('14', 'No such payment');
    const made = { id: `r-${known.refunds.length + 1}`, reference, amount };
    known.refunds.push(made);
    this.ledger.push({ effect: 'refund', reference, amount });
    return ok(refundText(made));
  }

  /** By the payment's reference, or `payment/refund` for one refund of it. */
  #query(wanted: string): ProviderReply {
    const [reference, refund] = wanted.split('/');
    const known = this.#payments.find((each) => each.reference === reference);
    if (known === undefined) return { status: 404, body: '<error code="2">Unknown</error>' };
    const refunds = known.refunds.filter((each) => refund === undefined || each.reference === refund).map(refundText);
    const { id, amount } = known;
    return ok(
      `<payment currency="USD"><id>${id}</id><status>APPROVED</status><amount>${amount}</amount>${refunds.join('')}</payment>`,
    );
  }
}

const ok = (body: string): ProviderReply => ({ status: 200, body: `<?xml version="1.0"?>${body}` });
const refuse = (code: string, text: string) => ({ status: 402, body: `<error code="${code}">${text}</error>` });
const refundText = ({ id, reference, amount }: Fields) =>
  `<refund><id>${id}</id><reference>${reference}</reference><amount>${amount}</amount></refund>`;
