import { parseProfile, type Profile } from '@railyard/core/registry';
import { CONNECTOR_OPTIONS, findConnectors, type Found } from '../connectors/find-connectors.ts';
import { readJson } from '../connectors/read-json.ts';
import { registryOf } from '../connectors/registry-of.ts';
import type { Io } from '../output/io.ts';
import type { Look } from '../output/look.ts';
import { type Explained, explainer } from '../output/explain-issue.ts';
import { type Command, type Given, textOf, UsageError } from './command.ts';

/** Options of the commands that validate a session. */
export const SESSION_OPTIONS = {
  profile: { type: 'string', hint: 'FILE', says: 'the merchant’s profile, as the service exports it' },
  today: { type: 'string', hint: 'DATE', says: 'the day to validate for, YYYY-MM-DD; default: today in UTC' },
  ...CONNECTOR_OPTIONS,
} as const;

export const validate: Command = {
  usage: 'validate FILE [--profile FILE]',
  help: 'Checks a session request (JSON; "-" reads standard input) with the methods of the found connectors. With a profile it checks exactly as the service would. The hash is not checked: see "railyard verify".',
  options: SESSION_OPTIONS,
  words: [1, 1],
  async run(given, io) {
    const found = await findConnectors(given, io.cwd);
    const [name = ''] = given.positionals;
    const input = await readJson(name, io);
    const { issues, warnings } = validatedWith(input, found, await readProfile(given, io), todayOf(given));
    return {
      code: issues.length === 0 ? 0 : 1,
      json: { valid: issues.length === 0, errors: issues, warnings },
      text: (look) => verdict(name, issues, warnings, look),
    };
  },
};

/** The issues of a session request, explained. */
export function validatedWith(input: unknown, found: Found, profile: Profile | undefined, today: string) {
  const result = registryOf(found).validate(input, { today, ...(profile && { profile }) });
  const explain = explainer(found.methods, input, profile);
  return {
    session: result.ok ? result.session : undefined,
    issues: result.ok ? [] : result.issues.map(explain),
    warnings: result.ok ? result.warnings.map(explain) : [],
  };
}

/** The profile that is named. @throws UsageError for a file that is none */
export async function readProfile(given: Given, io: Io): Promise<Profile | undefined> {
  const file = textOf(given, 'profile');
  if (file === undefined) return undefined;
  const parsed = parseProfile(await readJson(file, io));
  if (parsed.ok) return parsed.profile;
  const problems = parsed.issues.map(({ path, message }) => `  ${path}: ${message}`).join('\n');
  throw new UsageError(
    `${file} is no profile:\n${problems}\nAsk the service for it: railyard-checkout profile MERCHANT_KEY`,
  );
}

export function todayOf(given: Given): string {
  const today = textOf(given, 'today') ?? new Date().toISOString().slice(0, 10);
  if (!/^\d{4}-\d\d-\d\d$/.test(today)) throw new UsageError('--today takes a day as YYYY-MM-DD.');
  return today;
}

/** The verdict with everything that is wrong. */
export function verdict(
  name: string,
  issues: readonly Explained[],
  warnings: readonly Explained[],
  look: Look,
): string {
  const table = (each: readonly Explained[]) =>
    look.table(
      ['path', 'expected', 'what to do'],
      each.map(({ path, message, advice }) => [path, message, advice]),
    );
  const parts =
    issues.length === 0
      ? [look.paint('green', `${name} is valid.`)]
      : [look.paint('red', `${name} is not valid: ${counted(issues.length, 'error')}.`), table(issues)];
  if (warnings.length > 0) parts.push(look.paint('yellow', counted(warnings.length, 'warning')), table(warnings));
  return parts.join('\n');
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
