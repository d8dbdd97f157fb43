import type { MerchantConfig } from '../deployment/catalogue-schema.ts';

const MIN_PASSWORD = 16;

/** Problems in a merchant's signature settings, each with its path. Dropped merchants are not checked. */
export function signingProblems(config: MerchantConfig, index: number): string[] {
  const at = `merchants.${index}`;
  const { callbackUrl, callbackSecret, test, testKey, legacySignatures, legacyAddresses } = config;
  const problems = [
    ...ofOneKey(config, config, at),
    ...(test === undefined ? [] : ofOneKey(test, config, `${at}.test`)),
  ];
  if (callbackUrl !== undefined && callbackSecret === undefined)
    problems.push(`${at}.callbackSecret: callbacks are signed with it; give one beside callbackUrl.`);
  if (test?.callbackUrl !== undefined && test.callbackSecret === undefined)
    problems.push(`${at}.test.callbackSecret: callbacks are signed with it; give one beside callbackUrl.`);
  if (testKey !== undefined && test === undefined)
    problems.push(`${at}.test: the test key has secrets of its own; give at least test.password.`);
  if (testKey === undefined && test !== undefined)
    problems.push(`${at}.test: there is no test key; give testKey, or leave test out.`);
  if (test !== undefined && secretsOfOne(test).some((secret) => secretsOfOne(config).includes(secret)))
    problems.push(`${at}.test: a secret is the same as a live one; what is signed for one would hold for the other.`);
  if ((legacySignatures === 'money-out') !== legacyAddresses.length > 0)
    problems.push(
      `${at}.legacyAddresses: give them together with legacySignatures 'money-out', and with nothing else.`,
    );
  return problems;
}

type Signing = Pick<MerchantConfig, 'password' | 'callbackSecret' | 'requestKeys'>;

const secretsOfOne = ({ password, callbackSecret = [], requestKeys }: Signing): string[] => [
  ...[password, callbackSecret].flat(),
  ...requestKeys.flatMap(({ secret }) => secret),
];

function ofOneKey(signing: Signing, { weakPassword }: MerchantConfig, at: string): string[] {
  const { password, callbackSecret = [], requestKeys } = signing;
  const short = [password].flat().some((each) => [...each].length < MIN_PASSWORD);
  const ids = requestKeys.map(({ id }) => id);
  const shared = requestKeys.some(({ secret }) =>
    [secret].flat().some((each) => [callbackSecret].flat().includes(each)),
  );
  return [
    ...(short && !weakPassword ? [`${at}.password: give ${MIN_PASSWORD} characters or more.`] : []),
    ...(new Set(ids).size < ids.length ? [`${at}.requestKeys: duplicate id. Give each key an id of its own.`] : []),
    ...(shared ? [`${at}.requestKeys: a secret is that of the callbacks, too; give another one.`] : []),
  ];
}
