export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a local reference such as `#/components/schemas/Cob`. @throws Error where there is none */
export function resolve(description: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) throw new Error(`The reference ${reference} leads out of the description.`);
  let value = description;
  for (const part of reference.slice(2).split('/')) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? value[Number(name)] : isRecord(value) ? value[name] : undefined;
  }
  if (value === undefined) throw new Error(`The reference ${reference} leads to nothing.`);
  return value;
}
