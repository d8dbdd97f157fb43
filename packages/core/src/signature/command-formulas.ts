import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { isAscii, upperCase, type UpperCaseDialect } from './upper-case.ts';

/**
 * The fields that the signatures of server-to-server commands cover, in order; a field that was not sent is empty (protocol: Authentication, 3;
 * reference: Signatures of S2S APM, A to E, and of S2S CARD, F1 to F8).
 *
 * `card` is the first six and the last four digits of the number (`cardDigits`), or the token that was sent in its place. `payer_email`
 * and `card` of a formula with `trans_id` or `order_id` belong to the payment that it names.
 */
export const commandFormulas = {
  /** CAPTURE, VOID, GET_TRANS_STATUS and DEBIT2VIRTUAL_COMPLETE of S2S APM. */
  transaction: ['trans_id'],
  /** CREDIT2VIRTUAL and CREDIT2CRYPTO. */
  payout: ['order_id', 'order_amount', 'order_currency'],
  /** The callbacks of both. */
  payout_callback: ['trans_id', 'order_id', 'status'],
  /** SALE, DEBIT2VIRTUAL and DEBIT2VIRTUAL_CALC of S2S APM. */
  collection: ['identifier', 'order_id', 'order_amount', 'order_currency'],
  /** CREDITVOID of S2S APM, and its callbacks. */
  credit_void: ['trans_id'],
  /** SALE, DEBIT, RECURRING_SALE, RECURRING_DEBIT, RETRY and CARD2CARD of S2S CARD; CREDIT2CARD without the e-mail, a wallet's SALE without the card. */
  card: ['payer_email', 'card'],
  /** CAPTURE, CREDITVOID, VOID, lookups by transaction, and all callbacks of S2S CARD. Callbacks of CREDIT2CARD leave the e-mail out. */
  card_transaction: ['payer_email', 'trans_id', 'card'],
  /** GET_TRANS_STATUS_BY_ORDER. */
  card_order: ['payer_email', 'order_id', 'card'],
  /** The commands of schedules; of CREATE_SCHEDULE without the id. */
  schedule: ['schedule_id'],
} as const;

export type CommandFormula = keyof typeof commandFormulas;

/**
 * Where the password stands. `behind`: the joined fields are reversed and upper-cased, and it follows as it is. `within`: it is joined to
 * them, and all is reversed and upper-cased. `after-email`: the e-mail reversed, the password, an id as it is, the card reversed, all upper-cased.
 */
type Layout = 'behind' | 'after-email';

/** A formula whose password stands `within` is named here, so that its line costs the merchants' library nothing. */
type Within = 'collection' | 'credit_void' | 'schedule';

/** The others; a new formula is in one of both. */
export const commandLayouts: Readonly<
  Record<Exclude<CommandFormula, Within>, Layout> & { readonly [F in Within]?: undefined }
> = {
  transaction: 'behind',
  payout: 'behind',
  payout_callback: 'behind',
  card: 'after-email',
  card_transaction: 'after-email',
  card_order: 'after-email',
};

/** The fields a formula signs, as the strings that are sent. */
export type SignedCommandFields<F extends CommandFormula> = Readonly<
  Record<(typeof commandFormulas)[F][number], string>
>;

/** The digits of a card's number that are signed: the first six and the last four. */
export const cardDigits = (number: string): string => number.slice(0, 6) + number.slice(-4);

/** The fields that the signed text begins with, or ends with where it is reversed: before the password. */
export function leadingText<F extends CommandFormula>(formula: F, fields: SignedCommandFields<F>): string {
  const values = valuesOf(formula, fields);
  return commandLayouts[formula] === 'after-email' ? (values[0] ?? '') : values.join('');
}

function valuesOf<F extends CommandFormula>(formula: F, fields: SignedCommandFields<F>): readonly string[] {
  const names: readonly (typeof commandFormulas)[F][number][] = commandFormulas[formula];
  return names.map((name) => fields[name]);
}

/** A part of the signed text. */
interface Piece {
  readonly text: string;
  readonly isReversed?: true;
  /** Not upper-cased. */
  readonly isAsItIs?: true;
}

function piecesOf<F extends CommandFormula>(formula: F, fields: SignedCommandFields<F>, password: string): Piece[] {
  const values = valuesOf(formula, fields);
  switch (commandLayouts[formula]) {
    case 'behind':
      return [
        { text: values.join(''), isReversed: true },
        { text: password, isAsItIs: true },
      ];
    case 'after-email': {
      const [email = '', ...rest] = values;
      const [card = '', id = ''] = rest.toReversed();
      return [{ text: email, isReversed: true }, { text: password + id }, { text: card, isReversed: true }];
    }
    case undefined:
      return [{ text: values.join('') + password, isReversed: true }];
  }
}

/**
 * The digested text. `ascii` is how clients in PHP do it, whose functions work on bytes and not on characters: beyond ASCII the
 * reversed bytes are no text any more. `unicode` reverses characters.
 */
export function commandText<F extends CommandFormula>(
  formula: F,
  fields: SignedCommandFields<F>,
  password: string,
  dialect: UpperCaseDialect,
): string | Uint8Array {
  return textOf(piecesOf(formula, fields, password), dialect);
}

/** The fields of a callback, as they are read: nested ones as objects. */
export type SignedCallbackFields = Readonly<Record<string, unknown>>;

/**
 * The digested text of a callback of S2S APM: every value but `hash`, reversed, in the order of their names, and the password behind them;
 * nested ones stand in place of their object in the order of theirs; all upper-cased (reference: Signatures of S2S APM, F).
 */
export function callbackText(
  { hash: _hash, ...fields }: SignedCallbackFields,
  password: string,
  dialect: UpperCaseDialect,
): string | Uint8Array {
  const values = sortedValues(fields).map((text): Piece => ({ text, isReversed: true }));
  return textOf([...values, { text: password }], dialect);
}

function sortedValues(fields: SignedCallbackFields): string[] {
  const names = Object.keys(fields).toSorted();
  return names.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'object' && value !== null ? sortedValues({ ...value }) : [String(value ?? '')];
  });
}

function textOf(pieces: readonly Piece[], dialect: UpperCaseDialect): string | Uint8Array {
  const isPlain = pieces.every(({ text }) => isAscii(text));
  const upper = ({ text, isAsItIs }: Piece) => (isAsItIs ? text : upperCase(text, dialect));
  if (dialect === 'unicode' || isPlain)
    return pieces
      .map((piece) => (piece.isReversed ? upperCase([...piece.text].toReversed().join(''), dialect) : upper(piece)))
      .join('');
  const bytes = pieces.map((piece) => {
    const text = utf8ToBytes(upper(piece));
    return piece.isReversed ? text.toReversed() : text;
  });
  return concatBytes(...bytes);
}
