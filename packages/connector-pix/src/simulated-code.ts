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
