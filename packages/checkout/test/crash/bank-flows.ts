import { sessionBody } from '../support/service.ts';
import { asked, openPage, submit, timesTold, told } from './client.ts';
import { expected, type Flow } from './flow.ts';

/** The answers of a payer, by the step that the page asks for. */
type Answers = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A payer who answers every question of a flow; whoever is asked again, because an answer died with the service, answers again. */
function answering(name: string, method: string, body: Flow['body'], answers: Answers): Flow {
  return {
    name,
    body,
    readsOnce: true,
    expects: (number) => [expected(number, ['money'])],
    async pay(deployment, sent) {
      const { number } = sent.order;
      const page = await openPage(deployment, sent);
      await submit(deployment, `${page}/pay`, { method });
      const over = () => timesTold(deployment, number, 'success') > 0;
      let answered = '';
      await deployment.until(async () => {
        const { upsets } = deployment;
        if (over()) return true;
        const { text } = await deployment.request(page);
        const step = /name="step" value="([^"]+)"/.exec(text)?.[1];
        if (step === undefined || answered === `${step} ${upsets}`) return over();
        answered = `${step} ${upsets}`;
        await submit(deployment, `${page}/answer`, { step, ...answers[step.replace(/#\d+$/, '')] });
        return over();
      }, `The end of ${number}`);
      await told(deployment, number, 'success');
      await asked(deployment, number);
    },
  };
}

/** One question before the only call that moves money. */
const debit = answering(
  'a debit whose account is asked',
  'debin',
  () => sessionBody({ methods: ['debin'] }, { currency: 'ARS', amount: '1500.00' }),
  { account: { account: 'mesa.rio.luna' } },
);

/** Five questions, each after a call and before another; the last moves money. */
const steps = answering(
  'a transfer with a code at every stage',
  'bank-beneficiary',
  () =>
    sessionBody(
      { methods: ['bank-beneficiary'] },
      { currency: 'EUR', amount: '15.00', description: 'Two books, code at every stage' },
    ),
  {
    beneficiary: { name: 'Loja Exemplo', account: '1234567890' },
    account: { account: 'acc-2' },
    code: { code: '123456' },
  },
);

export const bankFlows: readonly Flow[] = [debit, steps];
