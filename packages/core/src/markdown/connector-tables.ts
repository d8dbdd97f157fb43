import * as z from 'zod';
import { DECLINE_REASONS } from '../connector/decline-codes.ts';
import type { Connector } from '../connector/define-connector.ts';
import type { Meaning, StatusTable } from '../connector/statuses.ts';
import { fieldInfo } from '../method/field.ts';
import { english } from '../payer-text.ts';
import { table } from './table.ts';

/**
 * A connector's declarations as Markdown tables: settings of an account, endpoints with the recovery after a lost reply, and the
 * provider's status words.
 *
 * @example connectorTables(instantConnector)
 */
export function connectorTables({ settings, endpoints, statuses, effectStatuses = {} }: Connector): string {
  return [
    '**Settings of an account**',
    '',
    ...table(['setting', 'required', 'meaning'], Object.entries(settings.shape).map(settingRow)),
    '',
    '**Calls**',
    '',
    ...table(
      ['endpoint', 'request', 'after a lost reply'],
      endpoints.map(({ name, method, path, repeat }) => [`\`${name}\``, `\`${method} ${path}\``, AFTER_LOSS[repeat]]),
    ),
    '',
    ...wordTable('Status words', statuses),
    ...Object.entries(effectStatuses).flatMap(([effect, each]) => wordTable(`Status words of a ${effect}`, each)),
  ].join('\n');
}

const wordTable = (title: string, { rows }: StatusTable): readonly string[] => [
  `**${title}**`,
  '',
  ...table(
    ['word', 'means'],
    Object.entries(rows).map(([word, meaning]) => [`\`${word}\``, inWords(meaning)]),
  ),
  '',
];

/** The promise of each repeat policy (docs: the connector contract, Endpoints). */
const AFTER_LOSS = {
  safe: 'sent again',
  keyed: 'sent again with the same key',
  'by-reference': 'looked up; sent again only if the provider does not know it',
  once: 'never sent again; looked up',
} as const;

function settingRow([name, schema]: [string, z.core.$ZodType]): string[] {
  const { label, help, secret } = fieldInfo(schema, name);
  const fallback = z.safeParse(schema, undefined);
  const usual = fallback.success && fallback.data !== undefined ? `; default ${JSON.stringify(fallback.data)}` : '';
  const words = secret === true ? `${english(label)} (secret)` : english(label);
  return [
    `\`${name}\``,
    fallback.success ? `no${usual}` : 'yes',
    `${words}. ${help === undefined ? '' : english(help)}`,
  ];
}

function inWords(meaning: Meaning): string {
  if (typeof meaning === 'string') return meaning;
  if ('later' in meaning)
    return `after the payment: ${meaning.later.replaceAll('-', ' ')}${meaning.later === 'chargeback' && meaning.result ? `, ${meaning.result}` : ''}`;
  const reason = meaning.reason ?? DECLINE_REASONS[meaning.code];
  if ('ended' in meaning) return `over: ${reason} What was held is let go of.`;
  return `declined, ${meaning.declined === 'soft' ? 'another attempt may succeed' : 'for good'}: ${reason}`;
}
