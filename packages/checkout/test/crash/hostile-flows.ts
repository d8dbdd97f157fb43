import { sessionBody } from '../support/service.ts';
import { asked, callbacksOf, openPage, submit, told } from './client.ts';
import { expected, type Flow } from './flow.ts';
import type { Deployment } from './deployment.ts';
import type { Point } from './gate.ts';
import type { HostileEntry } from './hostile-provider.ts';

/** What the provider is asked, what is written down of it, and what the payment becomes. A page, a session and a callback are as elsewhere. */
const isOwn = ({ link, what, moment }: Point): boolean =>
  link === 'provider' ||
  (link === 'merchant' && moment === 'cut') ||
  (link === 'database' && /INSERT INTO callbacks|journal|SET lease_epoch|^update "flow_runs"/.test(what));

/** The provider notifies of what it has, until it is asked, and again when that was too early. */
function hintUntil(
  deployment: Deployment,
  find: () => HostileEntry | undefined,
  isTold: () => boolean,
  what: string,
): Promise<void> {
  let hinted = -1;
  return deployment.until(async () => {
    if (isTold()) return true;
    const entry = find();
    if (entry === undefined || !deployment.service.listening || entry.lookups === hinted) return false;
    hinted = entry.lookups;
    await deployment.outside.hostile
      .hint(`${deployment.service.url}/notify/hostile`, entry)
      // The service died of it: the next one is hinted at again.
      .catch(() => (hinted = -1));
    return isTold();
  }, what);
}

/**
 * A provider that answers nothing that counts, refuses the repeat, lags, and takes the money then or has it already; its notifications prove
 * nothing. The payment may never be told as declined.
 */
const doubted = (method: string, name: string): Flow => ({
  readsOnce: true,
  at: isOwn,
  name,
  body: () => sessionBody({ methods: [method] }),
  expects: (number) => [expected(number, ['money'])],
  async pay(deployment, body) {
    const { number } = body.order;
    const { hostile } = deployment.outside;
    const before = hostile.pays.length;
    const page = await openPage(deployment, body);
    await submit(deployment, `${page}/pay`, { method });
    const isTold = () => callbacksOf(deployment, number).some(({ status }) => status === 'success');
    await hintUntil(deployment, () => hostile.pays.at(before), isTold, `The end of ${number}`);
    await told(deployment, number, 'success');
    await asked(deployment, number);
  },
});

export const late = doubted('hostile-late', 'a payment that is taken late');
const unauthorized = doubted('hostile-unauthorized', 'a payment that is taken and answered 401');
const twice = doubted('hostile-twice', 'a payment whose answer has a name twice');

/** A provider that approves less than was asked for: what it took goes back, and only then the payment is told as declined. */
export const part: Flow = {
  readsOnce: true,
  at: isOwn,
  name: 'a payment of which a part is approved',
  body: () => sessionBody({ methods: ['hostile-part'] }),
  expects: (number) => [expected(number, ['money', 'refund'], 'declined')],
  async pay(deployment, body) {
    const { number } = body.order;
    const page = await openPage(deployment, body);
    await submit(deployment, `${page}/pay`, { method: 'hostile-part' });
    await told(deployment, number, 'fail');
    await asked(deployment, number, 'decline');
  },
};

/** Money that the merchant gives back in the provider's panel: nothing but the lookup says so, and it is told once. */
export const panel: Flow = {
  readsOnce: true,
  name: 'a refund in the provider’s panel',
  body: () => sessionBody({ methods: ['hostile-panel'] }),
  expects: (number) => [expected(number, ['money', 'refund'], 'refunded')],
  async prepare(deployment, body) {
    const page = await openPage(deployment, body);
    await submit(deployment, `${page}/pay`, { method: 'hostile-panel' });
    await told(deployment, body.order.number, 'success');
  },
  async pay(deployment, body) {
    const { number } = body.order;
    const { hostile } = deployment.outside;
    // Payments are made one after the other.
    const entry = hostile.pays.at(-1);
    if (entry === undefined) throw new Error('The provider has no payment.');
    hostile.giveBackInPanel(entry);
    const isTold = () => callbacksOf(deployment, number).some(({ type }) => type === 'refund');
    await hintUntil(deployment, () => entry, isTold, `The refund of ${number}`);
    await asked(deployment, number, 'refund');
  },
};

export const hostileFlows: readonly Flow[] = [late, unauthorized, twice, part, panel];
