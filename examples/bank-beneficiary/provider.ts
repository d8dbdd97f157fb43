import {
  type LedgerLine,
  match,
  type ProviderDouble,
  type ProviderReply,
  type ProviderRequest,
  reply,
} from '../support/provider-double.ts';

export type CodeStage = 'log-in' | 'pay';

interface Challenge {
  readonly id: string;
  readonly passed: () => void;
  code: string;
  attempts: number;
}

interface Payment {
  readonly id: string;
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  status: string;
  challenge?: string | undefined;
}

/** A bank that asks for codes, counts wrong ones, and keeps what it answered per idempotency key. */
export class BankProvider implements ProviderDouble {
  readonly ledger: LedgerLine[] = [];
  readonly #asksAt: readonly CodeStage[];
  readonly #answers = new Map<string, ProviderReply>();
  readonly #challenges: Challenge[] = [];
  readonly #payments: Payment[] = [];

  constructor(asksAt: readonly CodeStage[]) {
    this.#asksAt = asksAt;
  }

  handle(request: ProviderRequest): ProviderReply {
    if (request.headers['x-api-key'] !== 'key') return reply(401, {});
    const key = request.headers['idempotency-key'];
    const known = key === undefined ? undefined : this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#act(request);
    if (key !== undefined) this.#answers.set(key, answer);
    return answer;
  }

  /** The code that the payer reads on the phone. */
  codeSent(): string {
    return this.#challenges.at(-1)?.code ?? '';
  }

  #act({ method, path, query, body }: ProviderRequest): ProviderReply {
    const looked = match('/challenges/{id}/answers/{answer}', path);
    if (looked !== undefined) return this.#answerOf(looked.answer ?? '');
    const answered = match('/challenges/{id}/answers', path);
    if (answered !== undefined) return this.#checkOnce(answered.id ?? '', JSON.parse(body));
    const resent = match('/challenges/{id}/resend', path);
    if (resent !== undefined) return this.#resend(resent.id ?? '');
    if (path.endsWith('/accounts')) return reply(200, { accounts: ACCOUNTS });
    if (method === 'GET')
      return reply(200, { payments: this.#payments.filter(({ reference }) => reference === query.reference) });
    return path === '/logins' ? this.#logIn() : this.#pay(JSON.parse(body));
  }

  #logIn() {
    this.ledger.push({ effect: 'log in', reference: 'payer', amount: '' });
    return reply(200, { login: 'l-1', challenge: this.#challenge('log-in', () => undefined) });
  }

  #pay({ reference, amount, currency }: Readonly<Record<string, string>>) {
    const payment: Payment = {
      id: `b-${this.#payments.length + 1}`,
      reference: reference ?? '',
      amount: amount ?? '',
      currency: currency ?? '',
      status: 'WAITING',
    };
    this.#payments.push(payment);
    this.ledger.push({ effect: 'order', reference: payment.reference, amount: payment.amount });
    const done = () => {
      payment.status = 'DONE';
      this.ledger.push({ effect: 'charge', reference: payment.reference, amount: payment.amount });
    };
    payment.challenge = this.#challenge('pay', done);
    if (payment.challenge === undefined) done();
    return reply(200, payment);
  }

  #challenge(stage: CodeStage, passed: () => void): string | undefined {
    if (!this.#asksAt.includes(stage)) return undefined;
    const id = `ch-${this.#challenges.length + 1}`;
    this.#challenges.push({ id, passed, code: `10000${this.#challenges.length}`, attempts: 0 });
    return id;
  }

  /** An answer is taken once: a second one under the same id is refused, and the bank can be asked what became of the first. */
  #checkOnce(id: string, { code = '', answer_id: answer = '' }: Readonly<Record<string, string>>) {
    if (this.#answers.has(answer)) return reply(409, { error: 'answered before' });
    const checked = this.#check(id, code);
    this.#answers.set(answer, checked);
    return checked;
  }

  #answerOf(key: string) {
    const known = this.#answers.get(key);
    if (known === undefined) return reply(404, {});
    const { error, ...rest } = JSON.parse(known.body);
    return reply(200, { ...rest, result: error ?? 'accepted' });
  }

  #check(id: string, code: string) {
    const challenge = this.#challenges.find((each) => each.id === id);
    if (challenge === undefined) return reply(404, {});
    if (code === challenge.code) {
      challenge.passed();
      return reply(200, {});
    }
    challenge.attempts += 1;
    this.ledger.push({ effect: `wrong code ${challenge.attempts}`, reference: id, amount: '' });
    return challenge.attempts >= 3
      ? reply(422, { error: 'locked' })
      : reply(422, { error: 'wrong', attempts_left: 3 - challenge.attempts });
  }

  #resend(id: string) {
    const challenge = this.#challenges.find((each) => each.id === id);
    if (challenge === undefined) return reply(404, {});
    challenge.code = `2${challenge.code.slice(1)}`;
    this.ledger.push({ effect: 'resend', reference: id, amount: '' });
    return reply(200, {});
  }
}

const ACCOUNTS = [
  { id: 'acc-1', name: 'Current account' },
  { id: 'acc-2', name: 'Savings' },
];
