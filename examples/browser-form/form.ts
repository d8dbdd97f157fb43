import { pix } from '@railyard/connector-pix/methods';
import { createRegistry, parseProfile } from '@railyard/core/registry';
import exported from './profile.json' with { type: 'json' };

const registry = createRegistry([pix]);
const read = parseProfile(exported);
if (!read.ok) throw new Error('The profile cannot be read.');
const { profile } = read;

/** Problems of the parameters, by the names of the fields. The values that the server adds to the session are samples. */
function problems(parameters: Record<string, string>): [name: string, message: string][] {
  const session = {
    merchant_key: 'sample',
    hash: 'sample',
    operation: 'purchase',
    methods: ['br-pix'],
    success_url: 'https://shop.example/return',
    order: { number: 'sample', amount: '10.00', currency: 'BRL', description: 'Two books' },
    parameters: { 'br-pix': parameters },
  };
  const checked = registry.validate(session, { today: new Date().toISOString().slice(0, 10), profile });
  const issues = checked.ok ? checked.warnings : checked.issues;
  return issues.map(({ path, message }) => [path.replace('parameters.br-pix.', ''), message]);
}

const form = document.querySelector('form');
const list = document.querySelector('#problems');
form?.addEventListener('submit', (event) => {
  // A field that is empty is not sent.
  const filled = [...new FormData(form)].flatMap(([name, value]) => (value === '' ? [] : [[name, String(value)]]));
  const found = problems(Object.fromEntries(filled));
  if (found.length > 0) event.preventDefault();
  const items = found.map(([name, message]) =>
    Object.assign(document.createElement('li'), { textContent: `${name}: ${message}` }),
  );
  list?.replaceChildren(...items);
});
