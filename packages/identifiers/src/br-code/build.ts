import { parsePixKey, toDirectoryKey } from '../pix-key.ts';
import { crc16 } from './crc16.ts';
import { parseBrCode } from './parse.ts';
import { NO_TXID, PIX_GUI } from './rules.ts';
import { writeTlv } from './tlv.ts';
import type { BrCodeBuildResult, BrCodeFailure, BrCodeInput } from './types.ts';

/** Id, value, and the EMV path to name when the value cannot be written. */
type Entry = [id: string, value: string | undefined, path: string];

/**
 * Writes a Pix BR Code, or says which object breaks a rule: whatever is built is also what `parseBrCode` accepts.
 * Text is printable ASCII only, because banks' readers differ on anything else; `toBrCodeText` takes accents off.
 *
 * @example
 * buildBrCode({ kind: 'static', key: 'fulano@example.com', merchantName: 'Fulano', merchantCity: 'BRASILIA', amount: '10.00' })
 * // { ok: true, text: '0002012640…6304…' }
 */
export function buildBrCode(input: BrCodeInput): BrCodeBuildResult {
  const account = write(accountOf(input));
  if (typeof account !== 'string') return account;
  // Key, text and withdrawal compete for the 99 characters of the template (BR Code manual).
  if (account.length > 99) return { ok: false, reason: 'invalid', field: '26' };
  const label = write([['05', input.kind === 'dynamic' ? NO_TXID : (input.txid ?? NO_TXID), '62-05']]);
  if (typeof label !== 'string') return label;
  const recurrence = recurrenceOf(input);
  if (typeof recurrence === 'object') return recurrence;
  const body = write([
    ['00', '01', '00'],
    ['01', (input.singleUse ?? input.kind === 'dynamic') ? '12' : undefined, '01'],
    ['26', account, '26'],
    ['52', input.merchantCategory ?? '0000', '52'],
    ['53', '986', '53'],
    ['54', input.kind === 'static' ? input.amount : undefined, '54'],
    ['58', 'BR', '58'],
    ['59', input.merchantName, '59'],
    ['60', input.merchantCity, '60'],
    ['61', input.postalCode, '61'],
    ['62', label, '62'],
    ['80', recurrence, '80-25'],
  ]);
  if (typeof body !== 'string') return body;
  const text = `${body}6304${crc16(`${body}6304`)}`;
  const checked = parseBrCode(text);
  return checked.ok ? { ok: true, text } : checked;
}

/**
 * Takes accents off and leaves everything else, so that a letter that has no plain form is refused by `buildBrCode`
 * instead of lost.
 *
 * @example toBrCodeText('São João') // 'Sao Joao'
 */
export function toBrCodeText(text: string): string {
  return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
}

function accountOf(input: BrCodeInput): Entry[] {
  const gui: Entry = ['00', PIX_GUI, '26-00'];
  if (input.kind === 'recurrence') return [gui];
  if (input.kind === 'dynamic') return [gui, ['25', input.url, '26-25']];
  const key = parsePixKey(input.key);
  return [
    gui,
    ['01', key.ok ? toDirectoryKey(key) : input.key, '26-01'],
    ['02', input.info, '26-02'],
    ['03', input.withdrawalIspb, '26-03'],
  ];
}

function recurrenceOf(input: BrCodeInput): string | BrCodeFailure | undefined {
  if (input.recurrenceUrl === undefined) return undefined;
  return write([
    ['00', PIX_GUI, '80-00'],
    ['25', input.recurrenceUrl, '80-25'],
  ]);
}

/** Leaves absent objects out; the first value that cannot be written is the failure. */
function write(entries: Entry[]): string | BrCodeFailure {
  let text = '';
  for (const [id, value, field] of entries) {
    if (value === undefined) continue;
    const written = /^[ -~]+$/.test(value) ? writeTlv(id, value) : undefined;
    if (written === undefined) return { ok: false, reason: 'invalid', field };
    text += written;
  }
  return text;
}
