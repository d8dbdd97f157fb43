/** The names that replace the template's words. */
export interface Names {
  /** The npm name of the package. */
  readonly package: string;
  /** The provider's name as people write it: `Example Pay`. */
  readonly provider: string;
  /** The key under which merchants send the method's parameters: `example-method`. */
  readonly method: string;
  /** Address of its repository, as `repositoryUrl` writes it. */
  readonly repository?: string | undefined;
}

/** A problem of what was asked for, said to the person who asked. */
export class BadUse extends Error {
  override readonly name = 'BadUse';
}

const KEY = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
// The rule of npm for names of packages (validate-npm-package-name), with or without a scope.
const PACKAGE = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/**
 * @throws BadUse for a name that npm, the protocol or TypeScript would refuse
 * @example checkNames({ package: 'railyard-connector-example', provider: 'Example Pay', method: 'example-pay' })
 */
export function checkNames(names: Names): Names {
  if (!PACKAGE.test(names.package) || names.package.length > 214)
    throw new BadUse(
      `"${names.package}" is no name that npm takes. Use small letters, digits and dashes, for example railyard-connector-example.`,
    );
  if (!KEY.test(slug(names.provider)))
    throw new BadUse(
      `The provider "${names.provider}" needs a name that begins with a letter, for example "Example Pay".`,
    );
  if (!KEY.test(names.method))
    throw new BadUse(
      `"${names.method}" is no method key. Use small letters, digits and single dashes, beginning with a letter: example-pay.`,
    );
  return names;
}

/** `railyard-connector-example-pay` → `Example Pay`. */
export function providerFrom(packageName: string): string {
  const bare = packageName.replace(/^@[^/]*\//, '').replace(/^(railyard-)?(connector-)?/, '');
  return bare
    .split(/[^a-z0-9]+/i)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/** `Example Pay` → `example-pay`. */
export function slug(words: string): string {
  return words
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** `example-pay` → `examplePay`. */
export const camel = (key: string): string => key.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
