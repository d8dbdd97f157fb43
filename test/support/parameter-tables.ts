import { describeMethods, type MethodDescription, type Registry } from '../../packages/core/src/index.ts';

type Operation = MethodDescription['operations'][number];
type Parameter = Operation['parameters'][number];

/** The parameter tables of methods as Markdown, from the same declarations that validate. */
export function parameterTables(registry: Registry): string {
  return describeMethods(registry).flatMap(methodLines).join('\n');
}

function methodLines({ key, title, currencies, operations, limits }: MethodDescription): string[] {
  return [
    `### \`${key}\`: ${title}`,
    '',
    ...operations.flatMap((operation) => operationLines(operation, currencies)),
    ...(limits === undefined ? [] : limitLines(limits)),
    '',
  ];
}

function operationLines(
  { operation, completion, parameters, rules }: Operation,
  currencies: readonly string[],
): string[] {
  const shown = completion.length === 0 ? 'nothing' : completion.join(' or ');
  return [
    `**${operation}** in ${currenciesInWords(currencies)}. The payer is shown: ${shown}.`,
    '',
    '| parameter | type | required | else from | meaning |',
    '|---|---|---|---|---|',
    ...parameters.map(row),
    '',
    ...rules.map((rule) => `- ${rule}`),
    ...(rules.length === 0 ? [] : ['']),
  ];
}

/** Above this a list says nothing to a reader. */
const MOST_LISTED = 12;

function currenciesInWords(currencies: readonly string[]): string {
  return currencies.length > MOST_LISTED ? 'every currency of ISO 4217' : currencies.join(', ');
}

function row({ name, type, required, when, sources, label, help }: Parameter): string {
  const need = !required ? 'no' : when === undefined ? 'yes' : `where ${when}`;
  const cells = [
    `\`${name}\``,
    type,
    need,
    sources.map((each) => (each === 'mid' ? 'MID' : each)).join(', '),
    `${label}. ${help ?? ''}`,
  ];
  return `| ${cells.map((cell) => cell.trim().replaceAll('|', '\\|')).join(' | ')} |`;
}

function limitLines({ rows, source }: NonNullable<MethodDescription['limits']>): string[] {
  if (rows.length > MOST_LISTED) return [`Amounts are limited in each currency (${source}).`];
  return rows.map(({ currency, min, max }) => `Amount: ${min ?? 'any'} to ${max ?? 'any'} ${currency} (${source}).`);
}
