import { listen } from './listen.ts';

/** How the merchant's page of a test is made. */
export interface ShopPage {
  readonly token: string;
  readonly layout: 'form' | 'fields';
  readonly language?: string;
  /** The bank's page is opened in a frame. */
  readonly framed?: true;
  /** A page of another origin that the shop shows in a frame of its own. */
  readonly beside?: string;
  /** The fields that the page has, where it has not all. */
  readonly only?: readonly ('card' | 'expiry' | 'cvv')[];
  /** Further options of `init`. */
  readonly options?: object;
}

/** The policy that docs/hosted-fields.md asks of a merchant's page, with nothing else allowed. */
export const shopPolicy = (checkout: string, more: readonly string[] = []): string =>
  [
    `default-src 'none'`,
    `script-src 'self' ${checkout}/sdk/`,
    `frame-src ${["'self'", checkout, ...more].join(' ')}`,
    `connect-src 'self' ${checkout}`,
    `form-action ${["'self'", ...more].join(' ')}`,
    `style-src 'self'`,
    `img-src data:`,
    `base-uri 'none'`,
    `frame-ancestors 'self'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');

const SCRIPT = `
const { token, layout, framed, only, options } = JSON.parse(document.body.dataset.page);
window.messages = [];
window.events = [];
window.results = [];
addEventListener('message', ({ data }) => messages.push(data));
const fields = (window.fields = new HostedFields());
for (const name of ['card', 'expiry', 'cvv', 'form'])
  for (const type of ['ready', 'input', 'change', 'focus', 'blur', 'height'])
    fields[name + 'On'][type] = (data) => events.push([name, type, data]);
const places = layout === 'form' ? { form: { id: 'form' } } : {
  card: { id: 'card', placeholder: '1234 5678' }, expiry: { id: 'expiry', placeholder: 'MM / YY' }, cvv: { id: 'cvv' },
};
for (const name of only ? Object.keys(places).filter((each) => !only.includes(each)) : []) delete places[name];
fields.init({ sessionToken: token, fields: places, ...options }).then(
  () => (document.body.dataset.ready = 'true'),
  (error) => (document.body.dataset.ready = String(error)),
);
fields.onSubmitResult = (result) => results.push(result);
const say = (text) => (document.querySelector('[role=status]').textContent = text);
const session = new PaySession({ sessionToken: token, ...(framed && { frame: 'bank', title: 'Your bank' }) });
session.onSuccess = () => say('paid');
session.onDecline = ({ message }) => say('declined: ' + message);
session.onUndefined = (answer) => say('unknown ' + JSON.stringify(answer));
session.handleError = (error) => say('error: ' + error.message);
document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { result, message } = await fields.collectIframesData();
  if (result !== 'success') return say('not sent: ' + message);
  say('…');
  await session.pay({ name: document.querySelector('#name').value });
});
`;

/** A merchant's shop on an origin of its own, with a page that has hosted fields. `got` are the requests that it was sent. */
export async function fieldsShop() {
  const pages = new Map<string, ShopPage & { readonly checkout: string; readonly banks: readonly string[] }>();
  const got: string[] = [];
  const server = await listen((request, body, response) => {
    const { pathname, searchParams, search } = new URL(request.url ?? '/', 'http://localhost');
    const send = (type: string, text: string, headers: Readonly<Record<string, string>> = {}) =>
      void response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...headers }).end(text);
    if (pathname === '/shop.js') return send('text/javascript', SCRIPT);
    if (pathname === '/shop.css')
      return send('text/css', 'body { margin: 8px } input { max-width: 100% } .field { border: 1px solid gray }');
    const page = pages.get(searchParams.get('page') ?? '');
    if (pathname === '/pay' && page !== undefined)
      return send('text/html', documentOf(page), {
        'content-security-policy': shopPolicy(page.checkout, [
          ...page.banks,
          ...(page.beside === undefined ? [] : [new URL(page.beside).origin]),
        ]),
      });
    got.push(`${request.method} ${pathname}${search} ${body}`);
    return send('text/html', '<!doctype html><html lang="en"><title>Back at the shop</title><h1>Back at the shop</h1>');
  });
  // A site of its own, too: a browser keeps pages of two sites apart.
  const origin = server.url.replace('127.0.0.1', 'localhost');
  return {
    origin,
    got,
    /** @param banks origins to which the payer may be sent */
    page(checkout: string, page: ShopPage, banks: readonly string[] = []): string {
      const id = String(pages.size);
      pages.set(id, { ...page, checkout, banks });
      return `${origin}/pay?page=${id}`;
    },
    close: server.close,
  };
}

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

function documentOf({
  checkout,
  language = 'en',
  layout,
  token,
  framed,
  beside,
  only,
  options,
}: ShopPage & { checkout: string }) {
  const field = (name: string, label: string) =>
    `<div><label for="${name}">${label}</label><div class="field" id="${name}"></div></div>`;
  const fields =
    layout === 'form'
      ? '<div id="form"></div>'
      : field('card', 'Card number') + field('expiry', 'Expiry date') + field('cvv', 'Security code');
  const state = attribute(JSON.stringify({ token, layout, framed, only, options }));
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Shop</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/shop.css">
<script src="${checkout}/sdk/hosted-fields.js"></script><script src="${checkout}/sdk/pay-session.js"></script>
<script src="/shop.js" defer></script></head>
<body data-page="${state}"><main><h1>Shop</h1>${beside === undefined ? '' : `<iframe title="beside" src="${beside}"></iframe>`}
<form><label for="name">Name on card</label> <input id="name" autocomplete="cc-name">${fields}<button>Pay</button></form>
<p role="status"></p><div id="bank"></div></main></body></html>`;
}
