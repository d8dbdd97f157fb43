import { type CommandFormula, commandFormulas, leadingText, type SignedCommandFields } from './command-formulas.ts';
import { concatenate, type Formula, formulas, type SignedFields } from './formulas.ts';
import { upperCase } from './upper-case.ts';

const UUID_LENGTH = 36;
const UUID = /^[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}$/;

/**
 * The UUIDs, in lower case, that the signed text of a request begins with in one dialect or the other. Nothing stands between the fields, and the text is
 * upper-cased: a text that begins with the id of a payment may be the text of that payment's return or callback, whose hash the payer has.
 *
 * Of a formula that names a payment and is given an id it is none: what follows there is an amount or nothing, and no return ends so.
 */
export function leadingIds<F extends Formula>(formula: F, fields: SignedFields<F>): readonly string[] {
  const text = concatenate(formula, fields, '').slice(0, UUID_LENGTH);
  const given: Readonly<Record<string, string>> = fields;
  if (formulas[formula][0] === 'payment_id' && isUuid(given['payment_id'])) return [];
  return idsOf(upperCase(text, 'ascii'), upperCase(text, 'unicode'));
}

/** The same for a command, whose callbacks begin with the id of the transaction. */
export function leadingIdsOfCommand<F extends CommandFormula>(
  formula: F,
  fields: SignedCommandFields<F>,
): readonly string[] {
  const given: Readonly<Record<string, string>> = fields;
  if (commandFormulas[formula][0] === 'trans_id' && isUuid(given['trans_id'])) return [];
  const text = leadingText(formula, fields).slice(0, UUID_LENGTH);
  return idsOf(upperCase(text, 'ascii'), reversed(upperCase(reversed(text), 'unicode')));
}

const reversed = (text: string): string => [...text].toReversed().join('');

const isUuid = (text: string | undefined): boolean =>
  text !== undefined && text.length === UUID_LENGTH && UUID.test(upperCase(text, 'ascii'));

function idsOf(...uppers: readonly string[]): readonly string[] {
  const begun = uppers.map((text) => text.slice(0, UUID_LENGTH)).filter((text) => UUID.test(text));
  return [...new Set(begun)].map((id) => id.toLowerCase());
}
