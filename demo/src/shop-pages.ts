import { html, raw } from 'hono/html';
import { orderState, type OrderState } from './order-state.ts';
import type { Order, ReceivedCallback } from './orders.ts';

type Html = ReturnType<typeof html>;

const styles = `
  :root { color-scheme: light dark; --ink: #1c1b1a; --paper: #fbfaf8; --line: #dcd8d1; --quiet: #65605a; --accent: #14543c; --good: #14693f; --bad: #a3261b; }
  @media (prefers-color-scheme: dark) { :root { --ink: #f0edea; --paper: #171615; --line: #3a3733; --quiet: #aaa49c; --accent: #7fd1ab; --good: #7fd1ab; --bad: #ff9c8f; } }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 system-ui, sans-serif; }
  main { max-width: 44rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
  h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .4rem; } h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem; }
  p { margin: .4rem 0; } .quiet { color: var(--quiet); } a { color: var(--accent); }
  form.product { display: flex; flex-wrap: wrap; gap: .8rem; align-items: center; justify-content: space-between; padding: 1rem 0; border-top: 1px solid var(--line); }
  button { font: inherit; min-height: 44px; padding: 0 1.2rem; border: 1px solid var(--accent); border-radius: 8px; background: var(--accent); color: var(--paper); cursor: pointer; }
  table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .5rem .7rem .5rem 0; border-top: 1px solid var(--line); font-weight: normal; }
  th { color: var(--quiet); } .good { color: var(--good); } .bad { color: var(--bad); } .wide { overflow-x: auto; } code { font-size: .9em; overflow-wrap: anywhere; }
`;

export interface Product {
  readonly id: string;
  readonly title: string;
  readonly amount: string;
  /** BRL unless given. */
  readonly currency?: string;
  readonly operation: 'purchase' | 'credit';
  readonly methods: readonly string[];
  readonly action: string;
  /** Parameters of methods, as the merchant sends them. */
  readonly parameters?: Readonly<Record<string, object>>;
  /** `monthly`: charged each month after the first payment. */
  readonly repeats?: 'monthly';
  /** How a visitor tries it. */
  readonly hint?: string;
}

/** An order in the list. */
export interface ListedOrder {
  readonly order: Order;
  readonly state: OrderState;
}

function layout(title: string, nonce: string, body: Html, script?: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${raw(styles)}
        </style>
      </head>
      <body>
        <main>${body}</main>
        ${script ?? ''}
      </body>
    </html>`;
}

export function homePage(products: readonly Product[], orders: readonly ListedOrder[], nonce: string): Html {
  return layout(
    'Railyard Coffee',
    nonce,
    html`<h1>Railyard Coffee</h1>
      <p class="quiet">A demo shop. Each button creates a signed session and sends you to the hosted page.</p>
      ${products.map(
        (product) =>
          html`<form class="product" method="post" action="/buy">
            <span
              >${product.title}<br /><span class="quiet"
                >${product.currency ?? 'BRL'}
                ${product.amount}${product.hint === undefined ? '' : html`<br />${product.hint}`}</span
              ></span
            >
            <input type="hidden" name="product" value="${product.id}" /><button>${product.action}</button>
          </form>`,
      )}
      <form class="product" method="get" action="/fields">
        <span>Cup<br /><span class="quiet">On a page of this shop, with payment fields.</span></span>
        <button>Pay on this page</button>
      </form>
      <h2>Orders</h2>
      ${orders.length === 0 ? html`<p class="quiet">None yet.</p>` : orders.slice(0, 20).map(({ order, state }) => html`<p><a href="/orders/${encodeURIComponent(order.number)}">${order.number}</a> <span class="quiet">${order.description}, ${order.currency} ${order.amount}:</span> ${state}</p>`)}`,
  );
}

/** The shop's own page, with the card in fields of the checkout. */
export function fieldsPage({ title, amount, currency, hint, action }: Product, checkout: string, nonce: string): Html {
  return layout(
    title,
    nonce,
    html`<p><a href="/">Railyard Coffee</a></p>
      <h1>${title}, ${currency} ${amount}</h1>
      <p class="quiet">${hint}</p>
      <form id="pay">
        <label for="name">Name on card</label>
        <input id="name" autocomplete="cc-name" required />
        <div id="card-form"></div>
        <button>${action}</button>
      </form>
      <p role="status"></p>`,
    html`<script nonce="${nonce}" src="${checkout}/sdk/hosted-fields.js"></script>
      <script nonce="${nonce}" src="${checkout}/sdk/pay-session.js"></script>
      <script nonce="${nonce}" type="module">
        const say = (text) => (document.querySelector('[role=status]').textContent = text);
        async function ask(path, body = {}) {
          const reply = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
          const answer = await reply.json();
          if (answer.error_message === undefined) return answer;
          const text = answer.errors?.[0]?.error_message ?? answer.error_message;
          throw Object.assign(new Error(text), { status: answer.http_code });
        }
        const { token, number } = await ask('/fields/token');
        const fields = new HostedFields();
        await fields.init({ sessionToken: token, fields: { form: { id: 'card-form' } } });
        const session = new PaySession({ send: (payment) => ask('/fields/pay', { token, payment }) });
        session.onSuccess = () => location.assign('/orders/' + number);
        session.onDecline = ({ message }) => say(message);
        session.onUndefined = () => location.assign('/orders/' + number);
        session.handleError = ({ message }) => say(message);
        document.getElementById('pay').addEventListener('submit', async (event) => {
          event.preventDefault();
          const entered = await fields.collectIframesData();
          if (entered.result !== 'success') return say(entered.message);
          say('One moment.');
          await session.pay({ name: document.getElementById('name').value });
        });
      </script>`,
  );
}

export function orderPage(
  order: Order,
  callbacks: readonly ReceivedCallback[],
  back: string | undefined,
  nonce: string,
): Html {
  return layout(
    order.number,
    nonce,
    html`<p><a href="/">Railyard Coffee</a></p>
      <h1>${order.description}</h1>
      <p>Order <code>${order.number}</code>, ${order.currency} ${order.amount}</p>
      <p>
        ${back === undefined ? '' : html`<span class="quiet">The payer came back to <code>${back}_url</code>. A return proves nothing; the callbacks below do.</span>`}
      </p>
      ${
        order.schedule === undefined
          ? ''
          : html`<form class="product" method="post" action="/orders/${encodeURIComponent(order.number)}/month">
              <span class="quiet"
                >A subscription, charged each month if the payer agreed to later payments. It is a test, so its clock
                can be moved.</span
              >
              <button>A month passes</button>
            </form>`
      }
      <div aria-live="polite" id="news">${orderNews(callbacks)}</div>`,
    html`<script nonce="${nonce}">
      const shown = document.getElementById('news');
      setInterval(async () => {
        const reply = await fetch(location.pathname + '/callbacks').catch(() => undefined);
        if (reply?.ok) {
          const text = await reply.text();
          if (text !== shown.innerHTML) shown.innerHTML = text;
        }
      }, 1000);
    </script>`,
  );
}

/** How the order stands and every callback: the part of its page that changes. */
export function orderNews(callbacks: readonly ReceivedCallback[]): Html {
  return html`<p>State: <strong>${orderState(callbacks)}</strong></p>
    <h2>Callbacks as they arrive</h2>
    <div class="wide">${callbackTable(callbacks)}</div>`;
}

function callbackTable(callbacks: readonly ReceivedCallback[]): Html {
  if (callbacks.length === 0) return html`<p class="quiet">None yet.</p>`;
  const mark = (right: boolean) =>
    right ? html`<span class="good">valid</span>` : html`<span class="bad">not valid</span>`;
  return html`<table>
    <thead>
      <tr>
        <th>Order number</th>
        <th>Type</th>
        <th>Status</th>
        <th>Order status</th>
        <th>Hash</th>
        <th>Webhook signature</th>
        <th>Received</th>
      </tr>
    </thead>
    <tbody>
      ${callbacks.map(
        ({ fields, hash, webhook, at }) =>
          html`<tr>
            <td><code>${fields.order_number}</code></td>
            <td>${fields.type}</td>
            <td>${fields.status}</td>
            <td>${fields.order_status}</td>
            <td>${mark(hash)}</td>
            <td>${mark(webhook)}</td>
            <td class="quiet">${at.slice(11, 19)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

export function problemPage(error: string, nonce: string): Html {
  return layout(
    'Not accepted',
    nonce,
    html`<p><a href="/">Railyard Coffee</a></p>
      <h1>The checkout did not accept this</h1>
      <p><code>${error}</code></p>`,
  );
}

export function unknownOrderPage(nonce: string): Html {
  return layout(
    'No such order',
    nonce,
    html`<h1>There is no such order</h1>
      <p><a href="/">Go to the shop</a></p>`,
  );
}
