import {
  type CommandFormula,
  commandFormulas,
  commandLayouts,
  commandText,
  type Formula,
  formulas,
  signCallbackFields,
  type SignedCommandFields,
  signCommand,
  type SignedFields,
  type SignOptions,
  signRequest,
  type Verification,
  verifyCallbackFields,
  verifyCommand,
  verifySignature,
} from '@railyard/core/protocol';
import { ALL_FIELDS, ALL_FIELDS_TEXT, asSigned, callbackAttempt } from './callback-fields.ts';
import { type Attempt, commandAttempt, type Field, laid, rightAttempt } from './attempt.ts';

/** Of the hosted checkout, or of a server-to-server command, which is signed in another way (docs/server-to-server.md). */
export type AnyFormula = Formula | CommandFormula | typeof ALL_FIELDS;

/** Those that sign fields by their names. */
const ALL: Readonly<Record<string, readonly string[]>> = { ...formulas, ...commandFormulas };

const isFormula = (text: string): text is Formula | CommandFormula => Object.hasOwn(ALL, text);

export const FORMULAS: readonly AnyFormula[] = Object.keys(ALL).filter(isFormula);

/** The fields that a formula signs, in their order. */
export const signedBy = (formula: AnyFormula): readonly string[] => ALL[formula] ?? [];

const isOfCommand = (formula: AnyFormula): formula is CommandFormula => Object.hasOwn(commandFormulas, formula);

/** Whether its hash is a single digest, as for commands and their callbacks. */
export const isOneDigest = (formula: AnyFormula): boolean => formula === ALL_FIELDS || isOfCommand(formula);

/** The formula's fields, for those who look for themselves. */
export function formulaText(formula: AnyFormula): string {
  if (formula === ALL_FIELDS) return ALL_FIELDS_TEXT;
  const names = signedBy(formula);
  const fields = names.join(' + ');
  if (!isOfCommand(formula)) return `${fields} + password`;
  switch (commandLayouts[formula]) {
    case 'behind':
      return `backwards(${fields}) + password`;
    case undefined:
      return `upper(backwards(${fields} + password))`;
    case 'after-email': {
      const [email = '', ...rest] = names;
      const [card = '', ...ids] = rest.toReversed();
      return `upper(backwards(${email}) + ${['password', ...ids].join(' + ')} + backwards(${card}))`;
    }
  }
}

/** As the protocol says. */
export function attemptBy(formula: AnyFormula, fields: readonly Field[], password: string): Attempt {
  if (formula === ALL_FIELDS) return callbackAttempt(fields, password);
  return isOfCommand(formula) ? attemptOfCommand(formula, fields, password) : rightAttempt(fields, password);
}

function attemptOfCommand(formula: CommandFormula, fields: readonly Field[], password: string): Attempt {
  const attempt = commandAttempt(fields, password);
  if (commandLayouts[formula] === 'behind') return attempt;
  // Upper-cased as clients in PHP do it wherever that makes a text.
  const lay: Attempt['lay'] = (given, secret, dialect) =>
    laid((own) => commandText(formula, asCoreTakes(given), own, dialect), secret);
  return { ...attempt, lay };
}

const NO_FIELDS: SignedFields<Formula> & SignedCommandFields<CommandFormula> = {
  number: '',
  amount: '',
  currency: '',
  description: '',
  payment_id: '',
  order_id: '',
  order_amount: '',
  order_currency: '',
  order_description: '',
  recurring_init_trans_id: '',
  recurring_token: '',
  trans_id: '',
  status: '',
  identifier: '',
  payer_email: '',
  card: '',
  schedule_id: '',
  advance: '',
};

/** The fields as core takes them: of those, it signs what the formula names. */
const asCoreTakes = (fields: readonly Field[]) => ({ ...NO_FIELDS, ...Object.fromEntries(fields) });

/** The hash that core computes. */
export function hashBy(formula: AnyFormula, fields: readonly Field[], password: string, options: SignOptions): string {
  if (formula === ALL_FIELDS) return signCallbackFields(asSigned(fields), password, options);
  return isOfCommand(formula)
    ? signCommand(formula, asCoreTakes(fields), password, options)
    : signRequest(formula, asCoreTakes(fields), password, options);
}

/** Core's verdict on a hash. */
export function checkHash(
  formula: AnyFormula,
  fields: readonly Field[],
  password: string,
  given: string,
): Verification {
  const signature = { password, digest: 'both', given } as const;
  if (formula === ALL_FIELDS) return verifyCallbackFields({ fields: asSigned(fields), ...signature });
  return isOfCommand(formula)
    ? verifyCommand({ formula, fields: asCoreTakes(fields), ...signature })
    : verifySignature({ formula, fields: asCoreTakes(fields), ...signature });
}
