/** The script of the page, as the browser runs it. */
export const pageScript = `
const $ = (id) => document.getElementById(id);
const make = (tag, props = {}, ...children) => { const node = Object.assign(document.createElement(tag), props); node.append(...children); return node; };
const ask = async (path, body) => {
  const reply = await fetch(path, body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return reply.json();
};
let state = { connectors: [], notifications: [] };
const kept = JSON.parse(sessionStorage.getItem('form') ?? '{}');
const payer = new Map();

const chosen = () => {
  const [connectorId, key] = $('method').value.split(' ');
  const connector = state.connectors.find((each) => each.id === connectorId);
  const method = connector?.methods.find((each) => each.key === key);
  return { connector, method, operation: method?.operations.find((each) => each.operation === $('operation').value) };
};

const inputFor = (name, schema) => {
  const types = [schema.type].flat();
  if (schema.enum) return make('select', { name }, make('option', { value: '' }), ...schema.enum.map((value) => make('option', {}, String(value))));
  if (types.includes('boolean')) return make('input', { name, type: 'checkbox' });
  if (types.includes('object') || types.includes('array')) return make('textarea', { name, rows: 3, placeholder: 'JSON' });
  return make('input', { name, placeholder: String(schema.examples?.[0] ?? '') });
};

const valueOf = (input, schema) => {
  if (input.type === 'checkbox') return input.checked || undefined;
  if (input.value === '') return undefined;
  const types = [schema.type].flat();
  if (input.tagName === 'TEXTAREA') { try { return JSON.parse(input.value); } catch { return input.value; } }
  return types.includes('number') || types.includes('integer') ? Number(input.value) : input.value;
};

const propertiesOf = (operation) => {
  const schemas = operation?.schema.anyOf ?? [operation?.schema ?? {}];
  return Object.assign({}, ...schemas.map((each) => each.properties ?? {}));
};

const drawParameters = () => {
  const { method, operation } = chosen();
  $('currencies').replaceChildren(...(method?.currencies ?? []).map((value) => make('option', { value })));
  if (method?.currencies.length && !method.currencies.includes($('currency').value)) $('currency').value = method.currencies[0];
  const rows = Object.entries(propertiesOf(operation)).map(([name, schema]) => {
    const input = inputFor(name, schema);
    const old = kept[name];
    if (old !== undefined) { if (input.type === 'checkbox') input.checked = old; else input.value = old; }
    return make('label', {}, make('span', {}, name), input, make('small', {}, schema.title ?? '', schema.description ? '. ' + schema.description : ''));
  });
  $('parameters').replaceChildren(...(rows.length ? rows : ['It takes no parameters.']));
};

const drawOperations = () => {
  const { method } = chosen();
  $('operation').replaceChildren(...(method?.operations ?? []).map(({ operation }) => make('option', {}, operation)));
  drawParameters();
};

const filled = () => {
  const { connector, method, operation } = chosen();
  const properties = propertiesOf(operation);
  const parameters = {};
  for (const input of $('parameters').querySelectorAll('[name]')) {
    kept[input.name] = input.type === 'checkbox' ? input.checked : input.value;
    const value = valueOf(input, properties[input.name] ?? {});
    if (value !== undefined) parameters[input.name] = value;
  }
  sessionStorage.setItem('form', JSON.stringify(kept));
  let more = {};
  try { more = JSON.parse($('more').value || '{}'); } catch { more = {}; }
  const session = {
    merchant_key: '11111111-2222-4333-8444-555555555555', operation: $('operation').value, methods: [method.key],
    success_url: 'https://shop.example/thanks', hash: '0'.repeat(40),
    order: { number: 'order-1', amount: $('amount').value, currency: $('currency').value, description: 'A trial' },
    parameters: { [method.key]: parameters }, ...more,
  };
  return { connector: connector.id, method: method.key, session, payer: Object.fromEntries(payer) };
};

const table = (head, rows) => make('table', {}, make('thead', {}, make('tr', {}, ...head.map((each) => make('th', { scope: 'col' }, each)))),
  make('tbody', {}, ...rows.map((row) => make('tr', {}, ...row.map((each) => make('td', {}, each))))));

const drawPayer = (fields) => {
  for (const { path, label } of fields) {
    if (payer.has(path)) continue;
    payer.set(path, '');
    const input = make('input', { oninput: () => { payer.set(path, input.value); update(); } });
    $('payer').append(make('label', {}, make('span', {}, label), input, make('small', {}, path)));
  }
  $('payer-fields').hidden = payer.size === 0;
};

const drawAnswer = (answer) => {
  if (answer.error) return [make('p', { className: 'wrong' }, answer.error)];
  if (answer.kind === 'wrong') return [table(['path', 'expected', 'what to do'], answer.issues.map((each) => [each.path, each.message, each.advice ?? '']))];
  if (answer.kind === 'missing') { drawPayer(answer.fields); return ['The payer is asked first: see the form.']; }
  return answer.requests.flatMap((request) => [
    make('h3', {}, request.method + ' ' + (request.baseUrl ?? answer.baseUrl) + request.path),
    table(['field', 'value', 'made from'], request.values.map((each) => [each.place, each.value, each.from.join(', ') || 'the connector itself'])),
  ]).concat(make('p', {}, 'It ends with: ' + answer.end + '.'));
};

let round = 0;
const update = async () => {
  const mine = ++round;
  const answer = await ask('/api/preview', filled());
  if (mine === round) $('preview').replaceChildren(...drawAnswer(answer));
};

const refresh = async () => {
  const { payments, received } = await ask('/api/payments');
  const button = (payment, act, mode) => make('button', { type: 'button', onclick: async () => { await ask('/api/act', { payment: payment.id, act, mode }); } }, mode ?? act);
  if (!$('payments').contains(document.activeElement))
    $('payments').replaceChildren(table(['payment', 'state', 'notify again'], payments.map((payment) => [
      payment.id + ' ' + payment.amount + ' ' + payment.currency,
      make('span', {}, payment.state, ' ', ...(payment.state === 'pending' ? [button(payment, 'settle'), button(payment, 'decline')] : [])),
      make('span', {}, ...state.notifications.filter((mode) => mode !== 'none' && mode !== 'late').map((mode) => button(payment, 'notify', mode))),
    ])));
  $('received').replaceChildren(table(['at', 'body', 'what the connector reads'], received.map((each) => [each.at, each.body, JSON.stringify(each.read)])));
};

$('form').addEventListener('input', () => void update());
$('method').addEventListener('change', () => { drawOperations(); void update(); });
$('operation').addEventListener('change', () => { drawParameters(); void update(); });
$('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  $('outcome').textContent = JSON.stringify(await ask('/api/send', filled()), undefined, 2);
  await refresh();
});

const start = async () => {
  state = await ask('/api/state');
  $('method').replaceChildren(...state.connectors.flatMap(({ id, methods }) => methods.map(({ key, title }) => make('option', { value: id + ' ' + key }, title + ' (' + id + ')'))));
  if (sessionStorage.getItem('method')) $('method').value = sessionStorage.getItem('method');
  $('method').addEventListener('change', () => sessionStorage.setItem('method', $('method').value));
  drawOperations();
  await update();
};

// While the connector is loaded again the server does not answer; the new one has another version.
setInterval(async () => {
  try {
    const { version } = await ask('/api/version');
    if (version !== document.documentElement.dataset.version) location.reload();
    else await refresh();
  } catch { document.title = 'Railyard playground (waiting)'; }
}, 300);
void start();
`;
