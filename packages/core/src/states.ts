/**
 * The states of the countries whose addresses carry one, as two letters (protocol: billing_address.state): the codes of ISO 3166-2 and
 * the post where those are two letters. Australia's are longer there and Japan's are numbers (`iso-states.ts`), so both have their HASC codes.
 */
const tables: Readonly<Record<string, string>> = {
  AU: `CT Australian Capital Territory; NS New South Wales; NT Northern Territory; QL Queensland; SA South Australia;
TS Tasmania; VI Victoria; WA Western Australia`,
  CA: `AB Alberta; BC British Columbia; MB Manitoba; NB New Brunswick; NL Newfoundland and Labrador; NS Nova Scotia;
NT Northwest Territories; NU Nunavut; ON Ontario; PE Prince Edward Island; QC Quebec; SK Saskatchewan; YT Yukon`,
  IN: `AN Andaman and Nicobar Islands; AP Andhra Pradesh; AR Arunachal Pradesh; AS Assam; BR Bihar; CG Chhattisgarh; CH Chandigarh;
DH Dadra and Nagar Haveli and Daman and Diu; DL Delhi; GA Goa; GJ Gujarat; HP Himachal Pradesh; HR Haryana; JH Jharkhand;
JK Jammu and Kashmir; KA Karnataka; KL Kerala; LA Ladakh; LD Lakshadweep; MH Maharashtra; ML Meghalaya; MN Manipur;
MP Madhya Pradesh; MZ Mizoram; NL Nagaland; OD Odisha; PB Punjab; PY Puducherry; RJ Rajasthan; SK Sikkim; TN Tamil Nadu;
TR Tripura; TS Telangana; UK Uttarakhand; UP Uttar Pradesh; WB West Bengal`,
  JP: `AI Aichi; AK Akita; AO Aomori; CH Chiba; EH Ehime; FI Fukui; FO Fukuoka; FS Fukushima; GF Gifu; GM Gunma; HG Hyogo;
HK Hokkaido; HS Hiroshima; IB Ibaraki; IS Ishikawa; IW Iwate; KC Kochi; KG Kagawa; KM Kumamoto; KN Kanagawa; KS Kagoshima;
KY Kyoto; ME Mie; MG Miyagi; MZ Miyazaki; NI Niigata; NN Nagano; NR Nara; NS Nagasaki; ON Okinawa; OS Osaka; OT Oita; OY Okayama;
SG Saga; SH Shiga; SM Shimane; ST Saitama; SZ Shizuoka; TC Tochigi; TK Tokyo; TS Tokushima; TT Tottori; TY Toyama; WK Wakayama;
YC Yamaguchi; YN Yamanashi; YT Yamagata`,
  US: `AA Armed Forces Americas; AE Armed Forces Europe; AK Alaska; AL Alabama; AP Armed Forces Pacific; AR Arkansas;
AS American Samoa; AZ Arizona; CA California; CO Colorado; CT Connecticut; DC District of Columbia; DE Delaware; FL Florida;
GA Georgia; GU Guam; HI Hawaii; IA Iowa; ID Idaho; IL Illinois; IN Indiana; KS Kansas; KY Kentucky; LA Louisiana; MA Massachusetts;
MD Maryland; ME Maine; MI Michigan; MN Minnesota; MO Missouri; MP Northern Mariana Islands; MS Mississippi; MT Montana;
NC North Carolina; ND North Dakota; NE Nebraska; NH New Hampshire; NJ New Jersey; NM New Mexico; NV Nevada; NY New York; OH Ohio;
OK Oklahoma; OR Oregon; PA Pennsylvania; PR Puerto Rico; RI Rhode Island; SC South Carolina; SD South Dakota; TN Tennessee;
TX Texas; UT Utah; VA Virginia; VI Virgin Islands; VT Vermont; WA Washington; WI Wisconsin; WV West Virginia; WY Wyoming`,
};

const states: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(tables).map(([country, table]) => [
    country,
    new Map(table.split(';').map((row): [string, string] => [row.trim().slice(0, 2), row.trim().slice(3)])),
  ]),
);

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * The states of a country, name by code; none where its addresses carry none.
 *
 * @example statesOf('US').get('CA') // 'California'
 */
export function statesOf(country: string): ReadonlyMap<string, string> {
  return states.get(country) ?? NONE;
}
