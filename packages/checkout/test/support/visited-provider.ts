import { kyTransport, type HttpResult, type Transport } from '@railyard/runtime';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { merchantActs } from './merchant-acts.ts';
import { officialRequests } from './official-requests.ts';
import { type RealName, realProvider } from './real-provider-configs.ts';
import { realService, type RealService, wordsOf } from './real-providers.ts';
import { createPage, pressPay, sessionBody } from './service.ts';

/** Answers a request of the service: by the provider's own reply, by another one, or by another one after the provider has acted. */
type Answer = (asked: string, own: () => Promise<HttpResult>) => Promise<HttpResult>;
const byItself: Answer = (_asked, own) => own();

/** Nothing says whether the provider has acted. */
export const LATE: HttpResult = { kind: 'lost', why: 'No complete reply in time.' };

interface Description {
  /** Facts of each official description, below the repository. */
  readonly facts: readonly string[];
  /** Ends of paths that it does not have. */
  readonly except?: readonly string[];
}

/**
 * The service with an account at a provider to whose page the payer goes, for the tests of a file. They move its clock, and stand between
 * it and the provider.
 */
export function visitedProvider(name: RealName, currency: string, description: Description) {
  const { connector, methods } = realProvider(name);
  const [method = ''] = methods;
  const settled = { connector: connector.id, scenario: 'settled', notifications: 'once' } as const;
  const unnotified = { ...settled, notifications: 'none' } as const;
  const described = officialRequests(description.facts, description.except);
  const http = kyTransport();
  let [ahead, answer] = [0, byItself];
  const clock = () => Date.now() + ahead;
  const transport: Transport = {
    send(request) {
      described.note(request);
      return answer(`${request.method} ${new URL(request.url).pathname}`, () => http.send(request));
    },
  };
  let running: RealService | undefined;
  const service = () => running ?? expect.fail('The service did not start.');

  beforeAll(async () => {
    running = await realService(name, { clock, transport });
  });
  beforeEach(() => {
    answer = byItself;
    service().simulator.setRule(settled);
  });
  afterAll(async () => {
    await running?.stop();
    await http.close();
  });

  const reported = async (number: string, words: string) => (await service().reported(number, words)).fields;

  /** A payer whom the page has sent to the provider. */
  async function sent(change: object = {}) {
    const { simulator, url } = service();
    const body = sessionBody({ methods: [method], ...change }, { currency });
    const page = await createPage(url, body);
    expect((await pressPay(page, { method })).status).toBe(303);
    const payment = simulator.payments().at(-1) ?? expect.fail('The provider has no payment.');
    const stateOf = () => simulator.payments().find(({ id }) => id === payment.id)?.state;
    return { number: body.order.number, page, payment, stateOf };
  }

  /** A payment that the payer has approved. */
  async function approved(words: string, change?: object) {
    const begun = await sent(change);
    service().simulator.settle(begun.payment.id);
    const { id = '' } = await reported(begun.number, words);
    return { ...begun, id };
  }

  return {
    service,
    merchant: () => merchantActs(service().url),
    simulator: () => service().simulator,
    clock,
    transport,
    /** Nothing but a lookup tells how a payment stands. */
    notifiesOfNothing: () => service().simulator.setRule(unnotified),
    later(ms: number) {
      ahead += ms;
    },
    answers(other: Answer) {
      answer = other;
    },
    answersByItself() {
      answer = byItself;
    },
    /** The provider acts, and its reply is lost: to the first requests that end so, or to each. @returns how many there were */
    losesReplies(end: string, first = Infinity) {
      let asked = 0;
      answer = async (each, own) => {
        const reply = await own();
        if (!(each.startsWith('POST') && each.endsWith(end))) return reply;
        asked += 1;
        return asked <= first ? LATE : reply;
      };
      return () => asked;
    },
    sent,
    reported,
    told: (number: string) => wordsOf(service(), number),
    paid: () => approved('sale success settled'),
    held: () => approved('sale success pending', { auth: true }),
    /** Captures, voids and refunds of a payment at the provider. */
    done: (payment: { readonly id: string }) =>
      service()
        .simulator.modifications()
        .filter((each) => each.payment === payment.id)
        .map(({ effect, amount, state }) => `${effect} ${amount} ${state}`),
    bodies: described.bodies,
    compared: described.compared,
  };
}
