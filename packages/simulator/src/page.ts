import { Conflict, type House } from './house.ts';
import type { HeldPayment } from './records.ts';
import type { OwnReply, OwnRequest } from './server.ts';

const CSP = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The payer's bank: open payments with buttons, and a field for a code. Plain forms, no script. */
export function page(house: House, { method, path, query, body }: OwnRequest): OwnReply | undefined {
  if (method === 'GET' && path === '/') return html(render(house, query.said));
  if (method === 'GET' && path === '/style.css') return { status: 200, type: 'text/css; charset=utf-8', text: STYLE };
  if (method === 'GET' && path === '/favicon.ico') return { status: 204, type: 'image/x-icon', text: '' };
  if (method === 'POST' && (path === '/pay' || path === '/decline'))
    return back(() => act(house, path, field(body, 'id')));
  if (method === 'POST' && path === '/pay-code') return back(() => payCode(house, field(body, 'code')));
  return undefined;
}

function act(house: House, path: string, id: string): string {
  const payment = path === '/pay' ? house.settle(id) : house.decline(id);
  return `${payment.amount} ${payment.currency} ${path === '/pay' ? 'paid' : 'declined'}.`;
}

function payCode(house: House, code: string): string {
  const payment = house.byCode(code);
  return payment === undefined ? 'No open payment has this code.' : act(house, '/pay', payment.id);
}

/** After a form the browser is sent back to the list, so that a reload pays nothing twice. */
function back(task: () => string): OwnReply {
  let said: string;
  try {
    said = task();
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    said = error.message;
  }
  return { status: 303, type: 'text/plain', text: '', headers: { location: `/?said=${encodeURIComponent(said)}` } };
}

function field(body: unknown, name: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === 'string' ? value : '';
}

function html(text: string): OwnReply {
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    text,
    headers: { 'content-security-policy': CSP, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' },
  };
}

function render(house: House, said: string | undefined): string {
  const payments = house.payments();
  const open = payments.filter(({ state }) => state === 'pending').toReversed();
  const done = payments.filter(({ state }) => state !== 'pending').toReversed();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The payer's bank (simulator)</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<main>
<h1>The payer's bank</h1>
<p class="note">A simulator. No money moves.</p>
${said === undefined ? '' : `<p class="said" role="status">${escaped(said)}</p>`}
<section>
<h2>Pay a code</h2>
<form method="post" action="/pay-code">
<label for="code">Code, copied from the payment page</label>
<textarea id="code" name="code" rows="3" required spellcheck="false" autocomplete="off"></textarea>
<button>Pay</button>
</form>
</section>
<section>
<h2>Open payments</h2>
${open.length === 0 ? '<p>None. <a href="/">Look again</a></p>' : `<ul>${open.map((each) => item(house, each)).join('')}</ul>`}
</section>
<section>
<h2>Done</h2>
${
  done.length === 0
    ? '<p>Nothing yet.</p>'
    : `<ul>${done
        .slice(0, 20)
        .map((each) => item(house, each))
        .join('')}</ul>`
}
</section>
</main>
</body>
</html>
`;
}

function item(house: House, payment: HeldPayment): string {
  const { id, amount, currency, reference, connector, effect, createdAt, state } = payment;
  const title = house.mounts.get(connector)?.connector.title ?? connector;
  const button = (action: string, label: string) =>
    `<form method="post" action="${action}"><input type="hidden" name="id" value="${escaped(id)}"><button>${label}</button></form>`;
  const buttons =
    state === 'pending'
      ? `<div class="buttons">${button('/pay', 'Pay')}${button('/decline', 'Decline')}</div>`
      : `<p class="state ${state}">${state}</p>`;
  return `<li>
<p class="amount">${escaped(amount)} ${escaped(currency)}</p>
<p class="about">${escaped(title)}, ${effect}<br><code>${escaped(reference)}</code><br>${escaped(createdAt)}</p>
${buttons}
</li>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const STYLE = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
.note { margin: 0; opacity: 0.75; }
.said { border-left: 4px solid; padding: 0.5rem 0.75rem; }
label { display: block; }
textarea { box-sizing: border-box; width: 100%; font: 0.9rem/1.4 ui-monospace, monospace; }
button { font: inherit; padding: 0.5rem 1.25rem; margin-top: 0.5rem; min-height: 2.75rem; cursor: pointer; }
ul { list-style: none; margin: 0; padding: 0; }
li { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: center; border-top: 1px solid color-mix(in srgb, currentcolor 25%, transparent); padding: 0.75rem 0; }
li p { margin: 0; }
.amount { font-weight: 600; min-width: 8rem; }
.about { flex: 1 1 14rem; overflow-wrap: anywhere; font-size: 0.9rem; }
.buttons { display: flex; gap: 0.5rem; }
.state { font-weight: 600; }
`;
