import { sessionBody } from '../support/service.ts';
import { type Body, asked, openPage, submit, told } from './client.ts';
import type { Deployment } from './deployment.ts';
import { expected, type Flow } from './flow.ts';

interface Waiting {
  readonly name: string;
  readonly method: string;
  /** The merchant's callback that says that the payer has what they need to pay. */
  readonly told: readonly [status: string, type?: string];
  body(): Body;
}

/** A payer who is shown what the provider opened, pays it there, and a provider that notifies until it is heard. */
function paidElsewhere({ name, method, told: said, body }: Waiting): Flow {
  return {
    name,
    body,
    readsOnce: true,
    expects: (number) => [expected(number, ['opened', 'money'])],
    // The provider's token lives for a minute. Without this a second payment needs none, and its call is no point.
    prepare: async ({ service }) => service.advance(),
    async pay(deployment, sent) {
      const { number } = sent.order;
      const page = await openPage(deployment, sent);
      await submit(deployment, `${page}/pay`, { method });
      await told(deployment, number, ...said);
      const { text } = await deployment.request(page);
      const opened = deployment.outside.acquirer.payments().find(({ id }) => text.includes(id));
      if (opened === undefined) throw new Error(`The page of ${number} shows nothing of the provider's.`);
      await payAtProvider(deployment, opened.id);
      await told(deployment, number, 'success', 'sale');
      await asked(deployment, number);
    },
  };
}

async function payAtProvider(deployment: Deployment, id: string): Promise<void> {
  const { acquirer: provider } = deployment.outside;
  provider.settle(id);
  const notify = async () => {
    provider.notify(id, 'once');
    await provider.idle();
    const result = provider.deliveries().findLast(({ payment }) => payment === id)?.result;
    if (typeof result !== 'number') throw new Error(`The notification of ${id}: ${result}`);
    return { status: result };
  };
  const { status } = await deployment.repeat(notify, 'The notification');
  if (status >= 300) throw new Error(`The notification of ${id}: ${status}`);
}

/** A token, a reference and its payment; each call needs what the one before it brought. */
export const voucher = paidElsewhere({
  name: 'a voucher in three steps',
  method: 'cash-reference',
  told: ['waiting', 'sale'],
  body: () => sessionBody({ methods: ['cash-reference'] }, { currency: 'USD', description: 'Two books' }),
});

/** Both sides sign: the partner what it asks for, the provider what it notifies. */
const deposit = paidElsewhere({
  name: 'a deposit that its partner signs',
  method: 'cash-wallet-deposit',
  told: ['success', 'redirect'],
  body: () =>
    sessionBody(
      {
        methods: ['cash-wallet-deposit'],
        customer: { name: 'Ana Horvat', birth_date: '1990-04-23' },
        parameters: { 'cash-wallet-deposit': { payer_id: 'user-7781' } },
      },
      { currency: 'EUR' },
    ),
});

export const familyFlows: readonly Flow[] = [voucher, deposit];
