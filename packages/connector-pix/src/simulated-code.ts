import { buildBrCode } from '@railyard/identifiers/br-code';

/** A dynamic Pix code that names the payment. */
export function simulatedCode(id: string): string {
  const built = buildBrCode({
    kind: 'dynamic',
    url: `pix.example/qr/v2/${id.slice(0, 50)}`,
    merchantName: 'Simulated shop',
    merchantCity: 'SAO PAULO',
  });
  if (!built.ok)
    throw new Error(`No Pix code can be written for the payment ${id}: ${built.reason} at ${built.field}.`);
  return built.text;
}

/** A moment some minutes after another, as ISO 8601 in UTC. */
export function minutesAfter(moment: string, minutes: number): string {
  return new Date(Date.parse(moment) + minutes * 60_000).toISOString();
}
