import { arrive, type CryptoDeposit } from '../support/crypto-provider.ts';
import { sessionBody } from '../support/service.ts';
import { asked, openPage, submit, told } from './client.ts';
import { expected, type Flow } from './flow.ts';

/** Two deposits to one address, told twice and in any order by a provider that notifies until it is heard. */
export const deposits: Flow = {
  name: 'deposits to an address',
  body: () => {
    const body = sessionBody({ methods: ['crypto-receive'] }, { amount: '0.30000000', currency: 'BTC' });
    // Goes to the provider with the address, which is found by it.
    return { ...body, accountId: body.order.number };
  },
  expects: (number) => [expected(number, ['money'])],
  async pay(deployment, body) {
    const { number } = body.order;
    const page = await openPage(deployment, body);
    await submit(deployment, `${page}/pay`, { method: 'crypto-receive' });
    await told(deployment, number, 'success', 'init');
    const { crypto } = deployment.outside;
    const to = crypto.ledger.find(({ sent }) => sent.account === number);
    if (to === undefined) throw new Error(`The provider has no address for ${number}.`);
    const tell = async (...of: CryptoDeposit[]) => {
      // Each try is signed anew: the service's clock may be far ahead of the first one by then.
      const notify = async () => {
        const url = `${deployment.service.url}/notify/crypto-main`;
        return { status: await crypto.tell(to, of, { now: deployment.service.now(), url }) };
      };
      const { status } = await deployment.repeat(notify, 'The notification');
      if (status !== 204) throw new Error(`The notification: ${status}`);
    };
    const first = arrive(to, '0.10000000', { status: 'seen', confirmations: 0 });
    await tell(first);
    Object.assign(first, { status: 'confirmed', confirmations: 2 });
    await tell(first, first);
    await told(deployment, number, 'waiting', 'sale');
    const second = arrive(to, '0.20000000');
    await tell(second, first);
    await told(deployment, number, 'success', 'sale');
    await tell(first, second);
    await asked(deployment, number);
  },
};
