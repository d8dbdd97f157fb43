import { type SimulatorControl, isOpen } from './simulator-control.ts';
import { buttons, escaped, layout, modificationButtons, saidLine } from './page-layout.ts';
import { descriptionOf } from './payer-page.ts';
import type { HeldPayment } from './records.ts';
import type { OwnReply } from './server.ts';

const DONE_SHOWN = 10;

/** Open payments with buttons, the last ones done, and a field for a code. */
export function bankPage(simulator: SimulatorControl, said: string | undefined): OwnReply {
  const payments = simulator.payments().toReversed();
  const open = payments.filter(isOpen);
  const done = payments.filter((each) => !isOpen(each)).slice(0, DONE_SHOWN);
  const list = (of: readonly HeldPayment[]) => `<ul>${of.map((each) => item(simulator, each)).join('')}</ul>`;
  return layout(
    "The payer's bank (simulator)",
    `<h1>The payer's bank</h1>
<p class="note">A simulator. No money moves.</p>
${saidLine(said)}
<section>
<h2>Pay a code</h2>
<form method="post" action="/pay-code">
<label for="code">Code, copied from the payment page</label>
<textarea id="code" name="code" rows="3" required spellcheck="false" autocomplete="off"></textarea>
<button class="primary">Pay</button>
</form>
</section>
<section>
<h2>Open payments</h2>
${open.length === 0 ? '<p>None. <a href="/">Look again</a></p>' : list(open)}
</section>
${pendingModifications(simulator)}<section>
<h2>Done</h2>
${done.length === 0 ? '<p>Nothing yet.</p>' : list(done)}
</section>`,
  );
}

/** Captures, voids and refunds that wait for the bank; nothing where there are none. */
function pendingModifications(simulator: SimulatorControl): string {
  const pending = simulator.modifications().filter(({ state }) => state === 'pending');
  if (pending.length === 0) return '';
  const items = pending.map(
    ({ id, amount, currency, effect, reference, createdAt }) => `<li>
<p class="amount">${escaped(amount)} ${escaped(currency)}</p>
<p class="about">${effect}<br>${time(createdAt)}, <code>${escaped(reference)}</code></p>
${modificationButtons(id)}
</li>`,
  );
  return `<section>
<h2>Pending captures, voids and refunds</h2>
<ul>${items.toReversed().join('')}</ul>
</section>
`;
}

function item(simulator: SimulatorControl, payment: HeldPayment): string {
  const { id, amount, currency, reference, connector, effect, createdAt, request, state } = payment;
  const title = simulator.mounts.get(connector)?.connector.title ?? connector;
  const what = descriptionOf(request);
  return `<li>
<p class="amount">${escaped(amount)} ${escaped(currency)}</p>
<p class="about">${what === undefined ? '' : `<span class="what">${escaped(what)}</span><br>`}${escaped(title)}, ${effect}<br>${time(createdAt)}, <code>${escaped(reference)}</code></p>
${isOpen(payment) ? buttons(id) : `<p class="state ${state}">${state}</p>`}
</li>`;
}

/** To the minute; the whole of it stays in the markup. */
function time(iso: string): string {
  return `<time datetime="${escaped(iso)}">${escaped(iso.slice(0, 10))} ${escaped(iso.slice(11, 16))} UTC</time>`;
}
