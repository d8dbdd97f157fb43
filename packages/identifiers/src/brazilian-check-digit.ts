/**
 * One check digit of a CPF or a CNPJ: the weighted sum modulo 11, where the remainders 0 and 1 both give 0.
 * `values` and `weights` are equally long; `values` may hold more than 9 because a letter of a CNPJ counts 17 to 42.
 */
export function brazilianCheckDigit(values: readonly number[], weights: readonly number[]): number {
  let sum = 0;
  weights.forEach((weight, index) => {
    sum += weight * (values[index] ?? 0);
  });
  const remainder = sum % 11;
  return remainder < 2 ? 0 : 11 - remainder;
}

/** Numbers of one repeated character satisfy the arithmetic now and then, and are never issued. */
export function isOneCharacterRepeated(text: string): boolean {
  return text === text.charAt(0).repeat(text.length);
}
