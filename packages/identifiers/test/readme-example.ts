import { buildBrCode, parseBrCode } from '@railyard/identifiers/br-code';
import { parsePixKey } from '@railyard/identifiers/pix-key';

export const key = parsePixKey('+5511912345684');
// { ok: true, type: 'phone', key: '5511912345684', checksum: 'none' }

export const built = buildBrCode({
  kind: 'static',
  key: '+5511912345684',
  merchantName: 'Fulano de Tal',
  merchantCity: 'BRASILIA',
  amount: '10.00',
});
export const read = built.ok ? parseBrCode(built.text) : built;
// read.code.amount is '10.00'; a refused code has a reason and a field, such as 'invalid' and '60'
