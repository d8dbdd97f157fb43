import { TEXTS } from '@railyard/core';
import { countriesWithoutPostcodes } from '@railyard/core/payer';
import { issue, type Issue } from '@railyard/core/protocol';
import type { MerchantConfig } from '../../deployment/catalogue-schema.ts';
import { DEFAULT_PAYER_RULES } from '../../deployment/payer-fields.ts';

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
  const hasNone = countriesWithoutPostcodes.has(String(fields['payer_country'])) ? 'payer_zip' : undefined;
  return Object.entries(rules).flatMap(([name, rule]) =>
    rule === 'required' && fields[name] === undefined && name !== hasNone ? [issue(name, TEXTS.blank)] : [],
  );
}
