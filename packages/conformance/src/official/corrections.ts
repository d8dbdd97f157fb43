import { isRecord, resolve } from './pointer.ts';

/** A defect of an official description: what stands there cannot be meant. The facts list it beside the schema that they carry instead. */
export interface Correction {
  /** Where in the description, `#/components/schemas/CPF/pattern` for example. */
  readonly at: string;
  readonly is: unknown;
  readonly should: unknown;
  readonly why: string;
}

/**
 * A copy of the description with its defects mended.
 *
 * @throws Error where the description no longer says what a correction mends: the provider may have mended it
 */
export function corrected(description: unknown, corrections: readonly Correction[]): unknown {
  const copy = structuredClone(description);
  for (const { at, is, should } of corrections) {
    const cut = at.lastIndexOf('/');
    const [holder, name] = [resolve(copy, at.slice(0, cut)), at.slice(cut + 1)];
    if (!isRecord(holder) || JSON.stringify(holder[name]) !== JSON.stringify(is))
      throw new Error(`${at} is not ${JSON.stringify(is)} any more. Check the correction against the description.`);
    Object.assign(holder, { [name]: should });
  }
  return copy;
}
