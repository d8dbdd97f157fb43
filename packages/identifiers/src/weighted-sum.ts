/** The digits of the text, each times the weight in its place. `weights` has as many as there are digits. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * Number(digits.charAt(at)), 0);
}
