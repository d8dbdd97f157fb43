import { type SimulatorControl, isOpen } from './simulator-control.ts';
import { buttons, escaped, layout } from './page-layout.ts';
import { descriptionOf, returnAddress } from './payer-page.ts';
import type { HeldPayment } from './records.ts';
import type { OwnReply } from './server.ts';

/** The page to which a provider sends the payer: one payment, and the way back once it is decided. */
export function paymentPage(simulator: SimulatorControl, id: string): OwnReply {
  const payment = simulator.payments().find((each) => each.id === id);
  if (payment === undefined)
    return layout(
      'No such payment (simulator)',
      '<h1>There is no such payment</h1>\n<p><a href="/">All payments</a></p>',
      { status: 404 },
    );
  const { amount, currency, request } = payment;
  const what = descriptionOf(request);
  const about = `<h1>${escaped(amount)} ${escaped(currency)}</h1>
${what === undefined ? '' : `<p class="what">${escaped(what)}</p>\n`}<p class="note">A simulator. No money moves.</p>`;
  if (isOpen(payment)) return layout("The payer's bank (simulator)", `${about}\n${buttons(id, true)}`);
  const address = returnAddress(simulator, payment);
  const result = word(payment);
  if (address === undefined)
    return layout(
      `${result} (simulator)`,
      `${about}\n<p class="said" role="status">${result}. You can close this page.</p>`,
    );
  // Not a redirect of the form: form-action would stop it at another origin.
  return layout(
    `${result} (simulator)`,
    `${about}\n<p class="said" role="status">${result}. <a href="${escaped(address)}">Go back to the shop</a></p>`,
    { head: `<meta http-equiv="refresh" content="0; url=${escaped(address)}">\n` },
  );
}

function word({ state }: HeldPayment): string {
  if (state === 'declined') return 'Declined';
  return state === 'authorized' || state === 'authenticated' ? 'Approved' : 'Paid';
}
