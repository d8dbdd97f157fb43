import { crc16 } from './crc16.ts';
import { directoryKeyType, hasLength, hostOf, isIspb, isTxid, isZero, NO_TXID, PIX_GUI, readAmount } from './rules.ts';
import { readTlv, type TlvObjects } from './tlv.ts';
import type { BrCode, BrCodeFailure, BrCodeResult, Receiver, StaticBrCode } from './types.ts';

/** The Pix template of a range of ids, and whether another arrangement has a template in that range. */
interface Arrangements {
  id: string;
  pix: TlvObjects | undefined;
  others: boolean;
}

/**
 * Reads a Pix BR Code, the text of a QR and of copy-and-paste alike, and refuses whatever breaks a rule of the manual.
 * The text is taken byte for byte: nothing is trimmed, and the CRC is in upper case. Unknown objects are ignored.
 *
 * @example
 * const result = parseBrCode(text);
 * if (result.ok && result.code.kind === 'static') show(result.code.amount);
 * else if (!result.ok) log(result.reason, result.field);
 */
export function parseBrCode(text: string): BrCodeResult {
  const objects = readTlv(text);
  if (objects === undefined) return refuse('structure', '');
  const ids = Array.from(objects.keys());
  if (ids.at(-1) !== '63' || objects.get('63') !== crc16(text.slice(0, -4))) return refuse('checksum', '63');
  if (objects.has('00') && ids[0] !== '00') return refuse('structure', '00');

  const accounts = findArrangements(objects, 26, 51);
  if (isFailure(accounts)) return accounts;
  const account = accounts.pix;
  if (account === undefined) return refuse('not-pix', '');
  const unreserved = findArrangements(objects, 80, 99);
  if (isFailure(unreserved)) return unreserved;

  const receiver = readReceiver(objects, unreserved);
  if (isFailure(receiver)) return receiver;
  const shared = accounts.others || unreserved.others || ids.some(isAccountOfAnotherScheme);

  const code = readInitiation({
    objects,
    account,
    id: accounts.id,
    receiver,
    recurrenceId: unreserved.id,
    shared,
  });
  return isFailure(code) ? code : { ok: true, code };
}

interface Parts {
  objects: TlvObjects;
  account: TlvObjects;
  /** Id of the account template, 26 to 51. */
  id: string;
  receiver: Receiver;
  /** Id of the recurrence template, 80 to 99. */
  recurrenceId: string;
  shared: boolean;
}

/** The key or the address makes the code static or dynamic; object 01 only says whether it is meant for one payment. */
function readInitiation(parts: Parts): BrCode | BrCodeFailure {
  const { account, id, receiver } = parts;
  const key = account.get('01');
  const url = account.get('25');
  if (key !== undefined && url !== undefined) return refuse('conflict', `${id}-25`);
  if (key !== undefined) return readStatic(parts, key);
  if (account.has('03')) return refuse('conflict', `${id}-03`);
  if (url === undefined) {
    const { recurrenceUrl } = receiver;
    if (recurrenceUrl === undefined) return refuse('missing', `${id}-01`);
    const label = readLabel(parts);
    return isFailure(label) ? label : { kind: 'recurrence', ...receiver, recurrenceUrl, ...label };
  }
  const host = hostOf(url);
  if (host === undefined) return refuse('invalid', `${id}-25`);
  // Both addresses of a composite code belong to the same institution (Pix manual, composite codes).
  if (receiver.recurrenceUrl !== undefined && hostOf(receiver.recurrenceUrl) !== host) {
    return refuse('conflict', `${parts.recurrenceId}-25`);
  }
  return { kind: 'dynamic', url, ...receiver };
}

function readStatic(parts: Parts, key: string): StaticBrCode | BrCodeFailure {
  const { objects, account, id, receiver } = parts;
  const keyType = directoryKeyType(key);
  if (keyType === undefined) return refuse('invalid', `${id}-01`);
  const label = readLabel(parts);
  if (isFailure(label)) return label;
  const code: StaticBrCode = { kind: 'static', key, keyType, ...receiver, ...label };
  const info = account.get('02');
  if (info !== undefined) code.info = info;
  const withdrawalIspb = account.get('03');
  if (withdrawalIspb !== undefined) {
    if (!isIspb(withdrawalIspb)) return refuse('invalid', `${id}-03`);
    code.withdrawalIspb = withdrawalIspb;
  }
  const written = objects.get('54');
  if (written !== undefined) {
    const amount = readAmount(written);
    // Nothing is paid only where the payer takes out cash.
    if (amount === undefined || (isZero(amount) && withdrawalIspb === undefined)) return refuse('invalid', '54');
    code.amount = amount;
  }
  return code;
}

function readReceiver(objects: TlvObjects, unreserved: Arrangements): Receiver | BrCodeFailure {
  const rules: [id: string, holds: (value: string) => boolean][] = [
    ['00', (value) => value === '01'],
    ['52', (value) => /^\d{4}$/.test(value)],
    ['53', (value) => value === '986'],
    ['58', (value) => value === 'BR'],
    ['59', (value) => hasLength(value, 25)],
    ['60', (value) => hasLength(value, 15)],
  ];
  for (const [id, holds] of rules) {
    const value = objects.get(id);
    if (value === undefined) return refuse('missing', id);
    if (!holds(value)) return refuse('invalid', id);
  }
  const initiation = objects.get('01');
  if (initiation !== undefined && initiation !== '11' && initiation !== '12') return refuse('invalid', '01');
  const receiver: Receiver = {
    merchantName: objects.get('59') ?? '',
    merchantCity: objects.get('60') ?? '',
    merchantCategory: objects.get('52') ?? '',
    singleUse: initiation === '12',
  };
  const postalCode = objects.get('61');
  if (postalCode !== undefined) receiver.postalCode = postalCode;
  if (unreserved.pix !== undefined) {
    const recurrenceUrl = unreserved.pix.get('25');
    if (recurrenceUrl === undefined) return refuse('missing', `${unreserved.id}-25`);
    if (hostOf(recurrenceUrl) === undefined) return refuse('invalid', `${unreserved.id}-25`);
    receiver.recurrenceUrl = recurrenceUrl;
  }
  return receiver;
}

/**
 * The transaction id of a code that names no charge. A dynamic code's stands at its address: 62-05 beside one is ignored,
 * as the amount in 54 is (https://github.com/bacen/pix-api/issues/190). Many banks write the charge's txid there.
 */
function readLabel({ objects, shared }: Parts): { txid?: string } | BrCodeFailure {
  const template = objects.get('62');
  if (template === undefined) return refuse('missing', '62-05');
  const additional = readTlv(template);
  if (additional === undefined) return refuse('structure', '62');
  const text = additional.get('05');
  if (text === undefined) return refuse('missing', '62-05');
  if (!isTxid(text, shared)) return refuse('invalid', '62-05');
  return text === NO_TXID ? {} : { txid: text };
}

function findArrangements(objects: TlvObjects, first: number, last: number): Arrangements | BrCodeFailure {
  const found: Arrangements = { id: '', pix: undefined, others: false };
  for (const [id, value] of objects) {
    if (Number(id) < first || Number(id) > last) continue;
    const template = readTlv(value);
    if (template === undefined) return refuse('structure', id);
    if (template.get('00')?.toLowerCase() !== PIX_GUI) {
      found.others = true;
    } else if (found.pix !== undefined) {
      return refuse('not-pix', id);
    } else {
      found.id = id;
      found.pix = template;
    }
  }
  return found;
}

/** Ids 02 to 25 are plain account numbers of card schemes. */
function isAccountOfAnotherScheme(id: string): boolean {
  return Number(id) >= 2 && Number(id) <= 25;
}

function refuse(reason: BrCodeFailure['reason'], field: string): BrCodeFailure {
  return { ok: false, reason, field };
}

function isFailure(value: object): value is BrCodeFailure {
  return 'ok' in value && value.ok === false;
}
