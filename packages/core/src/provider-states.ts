import { australian } from './iso-states.ts';

const ofAustralia = new Map(Object.entries(australian).map(([iso, own]) => [own, iso]));

/** Japan's are the numbers from 01 on, in this order. */
const japanese: ReadonlyMap<string, string> = new Map(
  (
    'HK AO IW MG AK YT FS IB TC GM ST CH TK KN NI TY IS FI YN NN GF SZ AI ME SH KY OS HG NR WK TT SM OY HS YC TS KG EH KC FO SG NS KM ' +
    'OT MZ KS ON'
  )
    .split(' ')
    .map((code, index) => [code, String(index + 1).padStart(2, '0')]),
);

/**
 * A state of an address as 3-D Secure and address checks know it: by ISO 3166-2, without the country. The protocol has two letters
 * (billing_address.state), which are not ISO's in Australia and Japan.
 *
 * @example isoState('AU', 'VI') // 'VIC'
 */
export function isoState(country: string | undefined, state: string | undefined): string | undefined {
  if (country === undefined || state === undefined) return state;
  const own = country === 'AU' ? ofAustralia : country === 'JP' ? japanese : undefined;
  return own?.get(state.toUpperCase()) ?? state;
}
