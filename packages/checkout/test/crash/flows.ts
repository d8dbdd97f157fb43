import { sessionBody } from '../support/service.ts';
import { bankFlows } from './bank-flows.ts';
import { cardFlows } from './card-flows.ts';
import { commandFlows } from './command-flows.ts';
import { deposits } from './deposit-flow.ts';
import { familyFlows } from './family-flows.ts';
import { asked, openPage, submit, timesTold, told } from './client.ts';
import { expected, type Flow } from './flow.ts';
import { hostileFlows } from './hostile-flows.ts';
import { payCharge } from './pay-charge.ts';
import { scheduled } from './schedule-flow.ts';

/** A payer who is shown a code, pays it in his bank's app, and a provider that notifies until it is heard. */
export const purchase: Flow = {
  name: 'a purchase',
  body: () => sessionBody(),
  expects: (number) => [expected(number, ['money'])],
  async pay(deployment, body) {
    const { number } = body.order;
    const page = await openPage(deployment, body);
    await submit(deployment, `${page}/pay`, { method: 'pix' });
    await told(deployment, number, 'waiting');
    const { pix } = deployment.outside;
    const shown = await deployment.request(page);
    const charge = pix.ledger.find(({ code }) => shown.text.includes(code));
    if (charge === undefined) throw new Error(`The page of ${number} shows no code of the provider's.`);
    await payCharge(deployment, charge);
    await told(deployment, number, 'success');
    await asked(deployment, number);
  },
};

/** Money that is paid out by one call. */
export const payout: Flow = {
  name: 'a payout',
  body: () =>
    sessionBody({
      operation: 'credit',
      payee: { name: 'Maria Silva' },
      parameters: { pix: { key: 'maria@example.com', source_account_number: '123456', branch_identifier: '0001' } },
    }),
  expects: (number) => [expected(number, ['money'])],
  async pay(deployment, body) {
    const page = await openPage(deployment, body);
    await submit(deployment, `${page}/pay`, { method: 'pix' });
    await told(deployment, body.order.number, 'success');
    await asked(deployment, body.order.number);
  },
};

/** Two calls of the provider with a next action of the payer between them; the second one must not be sent twice. */
export const twoStep: Flow = {
  name: 'a payment in two steps',
  body: () => sessionBody({ methods: ['two-step'] }),
  expects: (number) => [expected(number, ['money'])],
  async pay(deployment, body) {
    const { number } = body.order;
    const { state } = deployment.outside.twoStep;
    const page = await openPage(deployment, body);
    const count = (status: string) => timesTold(deployment, number, status);
    for (let attempt = 0; attempt < 3 && count('success') === 0; attempt += 1) {
      state.lapsing = false;
      const fails = count('fail');
      const over = () => count('success') > 0 || count('fail') > fails;
      await submit(deployment, `${page}/pay`, { method: 'two-step' });
      let looked = -1;
      await deployment.until(
        async () => {
          if (over() || looked === deployment.upsets) return over();
          // Whoever is asked again, because his answer died with the service, answers again.
          const { upsets } = deployment;
          const { text } = await deployment.request(page);
          const step = /name="step" value="([^"]+)"/.exec(text)?.[1];
          if (step === undefined) return false;
          looked = upsets;
          await submit(deployment, `${page}/answer`, { step, code: '1234' });
          // Whoever asks about this attempt from now on hears that its reservation has run out, if it was never used.
          state.lapsing = true;
          return over();
        },
        `The end of attempt ${attempt + 1} of ${number}`,
      );
    }
    await told(deployment, number, 'success');
    await asked(deployment, number);
  },
};

export const FLOWS: readonly Flow[] = [
  purchase,
  payout,
  twoStep,
  deposits,
  scheduled,
  ...cardFlows,
  ...commandFlows,
  ...bankFlows,
  ...familyFlows,
  ...hostileFlows,
];
