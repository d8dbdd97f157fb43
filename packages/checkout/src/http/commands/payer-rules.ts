import { TEXTS } from '@railyard/core';
import { issue, type Issue } from '@railyard/core/protocol';
import type { MerchantConfig } from '../../deployment/catalogue-schema.ts';
import { DEFAULT_PAYER_RULES } from '../../deployment/payer-fields.ts';

/** The fields of the payer that the merchant's mapping requires and the command lacks (protocol: S2S CARD payer fields). */
export function payerIssues(
  { payerFields }: Pick<MerchantConfig, 'payerFields'>,
  protocol: 'card' | 'apm',
  fields: Readonly<Record<string, unknown>>,
): Issue[] {
  const rules = { ...DEFAULT_PAYER_RULES[protocol], ...payerFields[protocol] };
  return Object.entries(rules).flatMap(([name, rule]) =>
    rule === 'required' && fields[name] === undefined ? [issue(name, TEXTS.blank)] : [],
  );
}
