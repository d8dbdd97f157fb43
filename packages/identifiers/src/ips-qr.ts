/**
 * The text of an IPS QR code, by which a payer in Serbia orders an instant payment (recommendations of the National Bank of
 * Serbia for IPS QR codes, nbs.rs). It is defined for RSD alone.
 */
export interface IpsQr {
  /** `PR` on a printed bill, `PT` shown by the merchant, `PK` shown by the payer, `EK` in electronic commerce. */
  readonly kind: IpsQrKind;
  /** R: 18 digits, the last two of which are check digits. */
  readonly account: string;
  /** N: name and address of the payee, 1 to 70 characters, with line breaks. */
  readonly payee: string;
  /** I, in RSD, as a decimal string with two decimals. */
  readonly amount: string;
  /** P: name and address of the payer, 1 to 70 characters, with line breaks. */
  readonly payer?: string;
  /** SF: three digits. */
  readonly purposeCode?: string;
  /** S: 1 to 35 characters. */
  readonly purpose?: string;
  /** RO: the model of the reference, two digits, and the reference. */
  readonly reference?: string;
}

export type IpsQrKind = 'PR' | 'PT' | 'PK' | 'EK';

export interface IpsQrFailure {
  readonly ok: false;
  /** `structure`: it is no list of tags with values. */
  readonly reason: 'structure' | 'missing' | 'repeated' | 'invalid';
  /** The tag at fault, as far as there is one. */
  readonly field: string;
}
export type IpsQrResult = { readonly ok: true; readonly code: IpsQr } | IpsQrFailure;
export type IpsQrBuildResult = { readonly ok: true; readonly text: string } | IpsQrFailure;

/** Nothing longer fits a code that phones can read: 331 bytes, or a little less than that in characters. */
const MAX_LENGTH = 331;

const hasAtMost = (max: number) => (value: string) => Array.from(value).length <= max;

/** ISO 7064, MOD 97-10. */
const isAccount = (value: string) => /^\d{18}$/.test(value) && BigInt(value) % 97n === 1n;

/** A digit before the comma, two behind it at most, and no mark between thousands. */
const AMOUNT = /^RSD(0|[1-9]\d{0,14}),(\d{0,2})$/;

function readAmount(value: string): string | undefined {
  const [, whole, fraction = ''] = AMOUNT.exec(value) ?? [];
  if (whole === undefined || /^0*$/.test(whole + fraction)) return undefined;
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

const KINDS: readonly IpsQrKind[] = ['PR', 'PT', 'PK', 'EK'];
const kindOf = (value: string | undefined) => KINDS.find((kind) => kind === value);

/** Tags and the form of their values. A tag that is not listed is for other readers. */
const RULES: Readonly<Record<string, (value: string) => boolean>> = {
  K: (value) => kindOf(value) !== undefined,
  V: (value) => value === '01',
  C: (value) => value === '1',
  R: isAccount,
  N: hasAtMost(70),
  I: (value) => readAmount(value) !== undefined,
  P: hasAtMost(70),
  SF: (value) => /^\d{3}$/.test(value),
  S: hasAtMost(35),
  RO: (value) => /^\d{2}[0-9A-Za-z-]{1,33}$/.test(value),
};
const REQUIRED = ['K', 'V', 'C', 'R', 'N', 'I'];

/**
 * Reads the text of an IPS QR code, byte for byte.
 *
 * @example parseIpsQr('K:PR|V:01|C:1|R:840000000095584510|N:Čigra doo|I:RSD1025,12|SF:289') // { ok: true, code: { amount: '1025.12', … } }
 */
export function parseIpsQr(text: string): IpsQrResult {
  if (text.length > MAX_LENGTH) return { ok: false, reason: 'structure', field: '' };
  const tags = new Map<string, string>();
  for (const part of text.split('|')) {
    const at = part.indexOf(':');
    const tag = part.slice(0, Math.max(at, 0));
    if (!/^[A-Z]{1,2}$/.test(tag) || at === part.length - 1) return { ok: false, reason: 'structure', field: tag };
    if (tags.size === 0 && tag !== 'K') return { ok: false, reason: 'structure', field: tag };
    if (tags.has(tag)) return { ok: false, reason: 'repeated', field: tag };
    tags.set(tag, part.slice(at + 1));
  }
  for (const tag of REQUIRED) if (!tags.has(tag)) return { ok: false, reason: 'missing', field: tag };
  for (const [tag, value] of tags)
    if (RULES[tag]?.(value) === false) return { ok: false, reason: 'invalid', field: tag };
  return { ok: true, code: codeOf((tag) => tags.get(tag)) };
}

function codeOf(read: (tag: string) => string | undefined): IpsQr {
  const [payer, purposeCode, purpose, reference] = ['P', 'SF', 'S', 'RO'].map(read);
  return {
    kind: kindOf(read('K')) ?? 'PR',
    account: read('R') ?? '',
    payee: read('N') ?? '',
    amount: readAmount(read('I') ?? '') ?? '',
    ...(payer !== undefined && { payer }),
    ...(purposeCode !== undefined && { purposeCode }),
    ...(purpose !== undefined && { purpose }),
    ...(reference !== undefined && { reference }),
  };
}

/**
 * Writes the text of an IPS QR code.
 *
 * @example buildIpsQr({ kind: 'PT', account: '840000000095584510', payee: 'Čigra doo', amount: '1025.12' })
 */
export function buildIpsQr(code: IpsQr): IpsQrBuildResult {
  const values: readonly (readonly [tag: string, value: string | undefined])[] = [
    ['K', code.kind],
    ['V', '01'],
    ['C', '1'],
    ['R', code.account],
    ['N', code.payee],
    ['I', `RSD${code.amount.includes('.') ? code.amount.replace('.', ',') : `${code.amount},`}`],
    ['P', code.payer],
    ['SF', code.purposeCode],
    ['S', code.purpose],
    ['RO', code.reference],
  ];
  // A value with the mark between tags would begin another tag.
  for (const [field, value] of values)
    if (value?.includes('|') === true) return { ok: false, reason: 'invalid', field };
  const text = values.flatMap(([tag, value]) => (value === undefined ? [] : [`${tag}:${value}`])).join('|');
  const read = parseIpsQr(text);
  return read.ok ? { ok: true, text } : read;
}
