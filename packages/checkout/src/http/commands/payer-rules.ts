import { TEXTS } from '@railyard/core';
import { issue, type Issue } from '@railyard/core/protocol';
import type { MerchantConfig } from '../../deployment/catalogue-schema.ts';
import { DEFAULT_PAYER_RULES } from '../../deployment/payer-fields.ts';

/**
 * Countries whose addresses have no postcode, by the formats that Google and Unicode keep of addresses (libaddressinput: those without `%Z`),
 * as far as their posts have introduced none since. Payers there cannot give one.
 */
const WITHOUT_POSTCODES: ReadonlySet<string> = new Set(
  (
    'AE AG AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GQ GY HK JM KI KM KN KP ML MO MR MW NR NU QA RW ' +
    'SB SC SL SR SS ST SX SY TD TG TK TL TO TV UG VU YE ZW'
  ).split(' '),
);

/**
 * The fields of the payer that the merchant's mapping requires and the command lacks (protocol: S2S CARD payer fields).
 *
 * @param of the commands; those of a debit have defaults of their own, and the mapping of their protocol
 */
export function payerIssues(
  { payerFields }: Pick<MerchantConfig, 'payerFields'>,
  of: keyof typeof DEFAULT_PAYER_RULES,
  fields: Readonly<Record<string, unknown>>,
): Issue[] {
  const rules = { ...DEFAULT_PAYER_RULES[of], ...payerFields[of === 'debit' ? 'card' : of] };
  const hasNone = WITHOUT_POSTCODES.has(String(fields['payer_country'])) ? 'payer_zip' : undefined;
  return Object.entries(rules).flatMap(([name, rule]) =>
    rule === 'required' && fields[name] === undefined && name !== hasNone ? [issue(name, TEXTS.blank)] : [],
  );
}
