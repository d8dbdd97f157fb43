import {
  describeMethods,
  type MethodDescription,
  OPERATIONS,
  type ParameterDescription,
} from '@railyard/core/registry';
import { CONNECTOR_OPTIONS, findConnectors } from '../connectors/find-connectors.ts';
import { methodCalled } from '../connectors/registry-of.ts';
import type { Look } from '../output/look.ts';
import { type Command, oneOf, textOf } from './command.ts';

export const describe: Command = {
  usage: 'describe KEY [--operation NAME]',
  help: 'Shows a method. For each operation: its parameters, when they are needed, who else may supply them, further rules, what the payer sees, and the limits of amounts.',
  options: {
    operation: { type: 'string', hint: 'NAME', says: `only this operation: ${OPERATIONS.join(', ')}` },
    ...CONNECTOR_OPTIONS,
  },
  words: [1, 1],
  async run(given, { cwd }) {
    const found = await findConnectors(given, cwd);
    const [key = ''] = given.positionals;
    const [described] = describeMethods({ methods: [methodCalled(key, found)] });
    const whole: MethodDescription = described ?? {
      key,
      title: key,
      currencies: [],
      countries: [],
      operations: [],
      limits: undefined,
    };
    const asked = textOf(given, 'operation');
    const names = whole.operations.map(({ operation }) => operation);
    const only = asked === undefined ? undefined : oneOf(asked, names, `--operation of ${key}`);
    const shown = {
      ...whole,
      operations: whole.operations.filter(({ operation }) => operation === (only ?? operation)),
    };
    return { code: 0, json: shown, text: (look) => textOfMethod(shown, look) };
  },
};

function textOfMethod(
  { key, title, operations, currencies, countries, elsewhere, limits }: MethodDescription,
  look: Look,
): string {
  const heading = (text: string) => look.paint(['bold', 'underline'], text);
  const parts = [
    `${look.paint('bold', key)}: ${title}`,
    `currencies: ${listed(currencies)}; countries: ${listed(countries)}`,
    ...(elsewhere === undefined ? [] : [`Payers of other countries are taken. ${elsewhere}`]),
  ];
  for (const { operation, completion, parameters, needs, rules } of operations) {
    parts.push('', heading(operation), `The payer is shown: ${completion.join(', ') || 'nothing'}.`);
    parts.push(parameters.length === 0 ? 'It takes no parameters.' : tableOf(`parameters.${key}`, parameters, look));
    if (needs.length > 0) parts.push('', tableOf('of the session', needs, look));
    if (rules.length > 0) parts.push('', ...rules.map((rule) => `- ${rule}`));
  }
  if (limits === undefined) return parts.join('\n');
  const rows = limits.rows.map(({ operation, currency, country, operator, min, max }) => [
    currency,
    operation ?? 'any',
    country ?? 'any',
    operator ?? 'any',
    min ?? '-',
    max ?? '-',
  ]);
  parts.push(
    '',
    heading('limits'),
    `Both edges are allowed; the first row that fits decides. Source: ${limits.source}`,
  );
  return [...parts, look.table(['currency', 'operation', 'country', 'operator', 'least', 'most'], rows)].join('\n');
}

const listed = (names: readonly string[]) => names.join(', ') || 'any';

function tableOf(what: string, fields: readonly ParameterDescription[], look: Look): string {
  return look.table(
    [what, 'rule', 'needed', 'else from', 'meaning'],
    fields.map(({ name, type, variant, label, help, sources, ...field }) => [
      variant === undefined ? name : `${name} (${variant})`,
      type.replaceAll('`', ''),
      neededWhen(field),
      sources.join(', ') || '-',
      help === undefined ? label : `${label}. ${help}`,
    ]),
  );
}

function neededWhen({ required, when }: Pick<ParameterDescription, 'required' | 'when'>): string {
  if (when === undefined) return required ? 'yes' : 'no';
  return required ? `where ${when}` : `no; only where ${when}`;
}
