import { Webhook } from 'standardwebhooks';
import { listen } from './listen.ts';

export interface Received {
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the Standard Webhooks signature verifies with the official library. */
  readonly signed: boolean;
}

export const callbackSecret = 'whsec_dGVzdC1vbmx5LWNhbGxiYWNrLXNlY3JldC0wMDAwMDE=';

/** Of the test keys. */
export const testCallbackSecret = `whsec_${btoa('callbacks-of-the-test-keys')}`;

/** A callback of a test, as a form or as JSON. */
const ofTest = /(?:^|&)test=true(?:&|$)|"test":true/;

export type Receiver = Awaited<ReturnType<typeof receiver>>;

/** A merchant's callback address. */
export async function receiver() {
  const received: Received[] = [];
  let waiting: (() => void)[] = [];
  const state = {
    status: 200,
    /** Called when a callback has arrived and before it is answered; `false` leaves it unanswered, a promise holds the answer back. */
    beforeAnswer: (_callback: Received): boolean | Promise<boolean> => true,
  };
  const server = await listen((request, body, response) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    let signed = true;
    try {
      new Webhook(ofTest.test(body) ? testCallbackSecret : callbackSecret).verify(body, headers, { jsonParse: false });
    } catch {
      signed = false;
    }
    const callback = { fields: Object.fromEntries(new URLSearchParams(body)), body, headers, signed };
    received.push(callback);
    const answer = (answered: boolean) => {
      if (answered) response.writeHead(state.status).end('OK');
    };
    const answered = state.beforeAnswer(callback);
    if (typeof answered === 'boolean') answer(answered);
    else void answered.then(answer);
    for (const wake of waiting) wake();
    waiting = [];
  });
  return {
    url: server.url,
    received,
    state,
    close: server.close,
    /** Waits for a callback that fits. */
    async until(fits: (callback: Received) => boolean): Promise<Received> {
      for (;;) {
        const found = received.find(fits);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}
