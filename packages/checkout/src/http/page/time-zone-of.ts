/** Of countries with several time zones, the one by which their banks work. */
const BANKS: ReadonlyMap<string, string> = new Map([
  ['AR', 'America/Argentina/Buenos_Aires'],
  ['BR', 'America/Sao_Paulo'],
  ['CL', 'America/Santiago'],
  ['EC', 'America/Guayaquil'],
  ['ID', 'Asia/Jakarta'],
  ['MX', 'America/Mexico_City'],
  ['MY', 'Asia/Kuala_Lumpur'],
]);

type Zoned = Intl.Locale & { readonly timeZones?: readonly string[]; getTimeZones?(): readonly string[] };

/** The time zone of a country's banks; undefined where the country is not known or has several. @param country an alpha-2 code */
export function timeZoneOf(country: string | undefined): string | undefined {
  if (country === undefined || !/^[A-Z]{2}$/.test(country)) return undefined;
  const locale: Zoned = new Intl.Locale(`und-${country}`);
  const zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
  return BANKS.get(country) ?? (zones.length === 1 ? zones[0] : undefined);
}
