/**
 * The advice for an author whose Node cannot use the written package; it can be written all the same.
 *
 * @param version as in `process.versions.node`
 */
export function nodeAdvice(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return undefined;
  return `The package needs Node 22.19 or newer, and this is ${version}: change it before you go on.`;
}
