import { describeMethods, type MethodDescription } from '../method/describe.ts';
import type { Method } from '../method/define-method.ts';
import { currencies as known } from '../money/currencies.ts';
import type { LimitRow } from '../method/limits.ts';
import { table } from './table.ts';

type Operation = MethodDescription['operations'][number];
type Parameter = Operation['parameters'][number];

/**
 * The parameter tables of methods as Markdown, from the same declarations that validate.
 *
 * @example parameterTables({ methods: [pix] })
 */
export function parameterTables(of: { readonly methods: readonly Method[] }): string {
  return describeMethods(of).flatMap(methodLines).join('\n');
}

function methodLines(method: MethodDescription): string[] {
  const { key, title, operations, limits } = method;
  return [
    `### \`${key}\`: ${title}`,
    '',
    ...operations.flatMap((operation) => operationLines(operation, method)),
    ...(limits === undefined ? [] : limitLines(limits)),
    '',
  ];
}

function operationLines(
  { operation, completion, parameters, needs, rules }: Operation,
  { currencies, ...where }: MethodDescription,
): string[] {
  const shown = completion.length === 0 ? 'nothing' : completion.join(' or ');
  return [
    `**${operation}** in ${currenciesInWords(currencies)}${countriesInWords(operation, where)}. The payer is shown: ${shown}.`,
    '',
    ...(parameters.length === 0
      ? ['It has no parameters.']
      : table(['parameter', 'type', 'required', 'else from', 'meaning'], parameters.map(row))),
    '',
    ...needLines(needs),
    ...(rules.length === 0 ? [] : ['Rules:', '', ...rules.map((rule) => `- ${rule}`), '']),
  ];
}

/** Above this a list of limits says nothing to a reader. */
const MOST_LISTED = 12;

const FIAT = [...known.values()].flatMap(({ code, kind }) => (kind === 'fiat' ? [code] : []));

function currenciesInWords(currencies: readonly string[]): string {
  if (currencies.length === 0) return 'any currency';
  const listed = new Set(currencies);
  if (!FIAT.every((code) => listed.has(code))) return currencies.join(', ');
  const coins = currencies.filter((code) => known.get(code)?.kind === 'crypto');
  return ['every currency of ISO 4217', ...coins].join(', ');
}

/** Of whom, or of a credit to whom; nothing where any country is taken. */
function countriesInWords(
  operation: Operation['operation'],
  { countries, elsewhere }: Pick<MethodDescription, 'countries' | 'elsewhere'>,
): string {
  if (countries.length === 0) return '';
  const only = `, ${operation === 'credit' ? 'to payees' : 'of payers'} in ${countries.join(', ')}`;
  return elsewhere === undefined ? only : `${only} and elsewhere. ${elsewhere.replace(/\.$/, '')}`;
}

/** The session fields that it takes besides its parameters, by who has to give them. */
function needLines(needs: readonly Parameter[]): string[] {
  const lines = NEEDS.flatMap(([required, asked, words]) => {
    const named = needs.filter((each) => each.required === required && each.sources.includes('payer') === asked);
    return named.length === 0 ? [] : [`- ${words}: ${named.map(({ name }) => `\`${name}\``).join(', ')}`];
  });
  return lines.length === 0 ? [] : ['Of the session:', '', ...lines, ''];
}

/** Whether it is required, whether the payer is asked → in words. */
const NEEDS = [
  [true, false, 'needed'],
  [true, true, 'needed; the payer is asked for what is missing'],
  [false, false, 'optional'],
  [false, true, 'optional; the payer is asked for what `required` of the merchant’s method names'],
] as const;

function row({ name, type, required, when, sources, label, help }: Parameter): string[] {
  const need = !required ? 'no' : when === undefined ? 'yes' : `where ${when}`;
  return [
    `\`${name}\``,
    type,
    need,
    sources.map((each) => (each === 'mid' ? 'MID' : each)).join(', '),
    label === name ? (help ?? '') : `${label}. ${help ?? ''}`,
  ];
}

/** The columns that a row of limits may depend on besides its currency. */
const DEPENDS_ON = ['operation', 'country', 'operator'] as const;

function limitLines({ rows, source }: NonNullable<MethodDescription['limits']>): string[] {
  const columns = DEPENDS_ON.filter((column) => rows.some((row) => row[column] !== undefined));
  if (columns.length > 0) return limitTable(rows, columns, source);
  if (rows.length > MOST_LISTED) return [`Amounts are limited in each currency (${source}).`];
  return rows.map(({ currency, min, max }) => `Amount: ${min ?? 'any'} to ${max ?? 'any'} ${currency} (${source}).`);
}

/** The first row that matches applies, so the order of the rows is theirs. */
function limitTable(rows: readonly LimitRow[], columns: readonly (typeof DEPENDS_ON)[number][], source: string) {
  return [
    `Amounts (${source}), both ends included:`,
    '',
    ...table(
      [...columns, 'currency', 'from', 'to'],
      rows.map((row) => [
        ...columns.map((column) => (row[column] === undefined ? 'any' : `\`${row[column]}\``)),
        row.currency,
        row.min ?? 'any',
        row.max ?? 'any',
      ]),
    ),
  ];
}
