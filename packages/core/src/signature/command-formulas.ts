import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { isAscii, upperCase, type UpperCaseDialect } from './upper-case.ts';

/**
 * The fields that the signatures of server-to-server commands cover, in order. Joined, they are reversed and upper-cased; the
 * merchant's password follows as it is (protocol: Authentication, 3; reference: Signatures of S2S APM, C to E).
 */
export const commandFormulas = {
  /** GET_TRANS_STATUS. */
  transaction: ['trans_id'],
  /** CREDIT2VIRTUAL. */
  payout: ['order_id', 'order_amount', 'order_currency'],
  /** The callbacks of a CREDIT2VIRTUAL. */
  payout_callback: ['trans_id', 'order_id', 'status'],
} as const;

export type CommandFormula = keyof typeof commandFormulas;

/** The fields a formula signs, as the strings that are sent. */
export type SignedCommandFields<F extends CommandFormula> = Readonly<
  Record<(typeof commandFormulas)[F][number], string>
>;

/** The signed fields, joined. */
export function joined<F extends CommandFormula>(formula: F, fields: SignedCommandFields<F>): string {
  const names: readonly (typeof commandFormulas)[F][number][] = commandFormulas[formula];
  return names.map((name) => fields[name]).join('');
}

/**
 * The digested text. `ascii` is how clients in PHP do it, whose functions work on bytes and not on characters: beyond ASCII the
 * reversed bytes are no text any more. `unicode` reverses characters.
 */
export function commandText(text: string, password: string, dialect: UpperCaseDialect): string | Uint8Array {
  if (dialect === 'unicode' || isAscii(text)) return upperCase([...text].toReversed().join(''), dialect) + password;
  return concatBytes(utf8ToBytes(upperCase(text, 'ascii')).toReversed(), utf8ToBytes(password));
}
