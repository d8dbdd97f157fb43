import { type CommandFormula, commandFormulas, commandLayouts, type Formula, formulas } from '@railyard/core/protocol';
import { type Example, EXAMPLES, type Ids, PRINTED } from './openapi-examples.ts';
import { merchant, trial } from './pix-config.ts';

const variable = (name: string) => `{{${name}}}`;

/** Each id as a variable of the collection. */
const VARIABLES: Ids = {
  payment_id: variable('payment_id'),
  trans_id: variable('trans_id'),
  recurring_init_trans_id: variable('recurring_init_trans_id'),
  recurring_token: variable('recurring_token'),
  schedule_id: variable('schedule_id'),
  public_id: variable('public_id'),
};

const isOfCommands = (formula: Formula | CommandFormula): formula is CommandFormula =>
  Object.hasOwn(commandFormulas, formula);

/** Who signs. */
const signer = ({ body }: Example) => (body['merchant_key'] === trial.key ? 'test_' : '');

/** The lines that find a value of the hash in the fields of a request. */
const FIND = [
  'const digits = (number) => number.slice(0, 6) + number.slice(-4);',
  "const reversed = (text) => [...text].reverse().join('');",
  "const value = (name) => String((fields.order || {})[name] ?? fields[name] ?? '');",
];

/** The script that signs a request of a formula before it is sent. Postman's CryptoJS makes the digests. */
function script(example: Example, formula: Formula | CommandFormula): string[] {
  const digest = "const digest = { md5: CryptoJS.MD5, sha256: CryptoJS.SHA256 }[pm.variables.get('digest')];";
  const password = `const password = pm.variables.get('${signer(example)}password');`;
  if (!isOfCommands(formula))
    return [
      'const fields = JSON.parse(pm.variables.replaceIn(pm.request.body.raw));',
      password,
      digest,
      ...FIND.slice(2),
      `const text = ${JSON.stringify(formulas[formula])}.map(value).join('') + password;`,
      'fields.hash = CryptoJS.SHA1(digest(text.toUpperCase()).toString()).toString();',
      'pm.request.body.update(JSON.stringify(fields));',
    ];
  return [
    'const sent = pm.request.body.urlencoded;',
    'const on = sent.all().filter(({ disabled }) => !disabled);',
    'const fields = Object.fromEntries(on.map(({ key, value }) => [key, pm.variables.replaceIn(value)]));',
    password,
    digest,
    ...FIND,
    `const text = ${commandText(example, formula)};`,
    "sent.upsert({ key: 'hash', value: digest(text).toString() });",
  ];
}

function commandText({ body, empty }: Example, formula: CommandFormula): string {
  const names: readonly string[] = commandFormulas[formula];
  const joined = `${JSON.stringify(names)}.map(value).join('')`;
  switch (commandLayouts[formula]) {
    case 'behind':
      return `reversed(${joined}).toUpperCase() + password`;
    case 'after-email': {
      const id = names.find((name) => name.endsWith('_id'));
      // Of the transaction that a command names, the collection knows them.
      const isNamed = id !== undefined || 'trans_id' in body || 'recurring_first_trans_id' in body;
      const payer = isNamed ? "pm.variables.get('payer_email')" : "value('payer_email')";
      const email = empty.includes('payer_email') ? "''" : payer;
      const number = 'fields.card_number ?? fields.payer_card_number';
      const card = isNamed
        ? "digits(pm.variables.get('card_number'))"
        : `((${number}) === undefined ? value('card_token') : digits(${number}))`;
      const middle = id === undefined ? 'password' : `password + value('${id}')`;
      return `(reversed(${email}) + ${middle} + reversed(${card})).toUpperCase()`;
    }
    case undefined:
      return `reversed(${joined} + password).toUpperCase()`;
  }
}

/** The body without its hash, which the script makes. */
function withVariables({ body: { hash: _hash, ...fields }, ...example }: Example) {
  const name = 'merchant_key' in fields ? 'merchant_key' : 'client_key';
  const key = variable(`${signer({ body: fields, ...example })}merchant_key`);
  return name in fields ? { ...fields, [name]: key } : fields;
}

function requestOf(example: Example) {
  const { path, formula, body } = example;
  const fields = withVariables(example);
  const isForm = 'action' in body;
  const text = { key: 'Content-Type', value: 'application/json' };
  return {
    method: 'POST',
    header: [...(isForm ? [] : [text]), ...(formula === undefined ? [{ key: 'token', value: variable('token') }] : [])],
    url: `{{base_url}}${path}`,
    body: isForm
      ? {
          mode: 'urlencoded',
          urlencoded: Object.entries(fields).map(([key, value]) => ({ key, value: String(value) })),
        }
      : { mode: 'raw', raw: JSON.stringify(fields, null, 2), options: { raw: { language: 'json' } } },
  };
}

const item = (example: Example) => ({
  name: example.summary,
  ...(example.formula !== undefined && {
    event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: script(example, example.formula) } }],
  }),
  request: requestOf(example),
});

/** A collection of Postman: a request for each example of the document, which signs itself. */
export function collection() {
  const examples = Object.values(EXAMPLES).map((make): Example => make(VARIABLES));
  const paths = [...new Set(examples.map(({ path }) => path))];
  const known = {
    base_url: 'https://checkout.example',
    merchant_key: merchant.key,
    password: merchant.password,
    test_merchant_key: trial.key,
    test_password: trial.password,
    digest: 'md5',
    token: '',
    payer_email: 'doe@example.com',
    card_number: '4111111111111111',
    ...PRINTED,
  };
  return {
    info: {
      name: 'Railyard checkout',
      description:
        'Set `base_url`, `merchant_key` and `password`, and `digest` to `sha256` where that is agreed. Each request signs itself. Ids of payments are variables. `payer_email` and `card_number` are those of the transaction that a command names.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: Object.entries(known).map(([key, value]) => ({
      key,
      value,
      ...(key.endsWith('password') && { type: 'secret' }),
    })),
    item: paths.map((path) => ({ name: path, item: examples.filter((each) => each.path === path).map(item) })),
  };
}
