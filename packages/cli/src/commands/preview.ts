import { withoutTrailingSlashes } from '@railyard/core/protocol';
import { english } from '@railyard/core/registry';
import { ACCOUNT_OPTIONS, type Account, accountFor } from '../connectors/accounts.ts';
import { findConnectors, type Found } from '../connectors/find-connectors.ts';
import { withoutSecrets } from '../connectors/hide-secrets.ts';
import { paymentRun, profileFor, SAMPLE_ID } from '../connectors/payment-run.ts';
import { readJson } from '../connectors/read-json.ts';
import { methodCalled, registryOf } from '../connectors/registry-of.ts';
import { type Answer, type Command, type Given, listOf, textOf, UsageError } from './command.ts';
import { readProfile, SESSION_OPTIONS, todayOf, validatedWith, verdict } from './validate.ts';

export const preview: Command = {
  usage: 'preview FILE [--mid ID]',
  help: 'Shows the requests that a connector would send for a session request: every field with its value and its origin. Nothing is sent; replies are the examples of the endpoints. Secrets and card data are masked. Without an account it makes up settings.',
  options: {
    ...ACCOUNT_OPTIONS,
    method: { type: 'string', hint: 'KEY', says: 'the method, if the request names several' },
    answer: {
      type: 'string',
      multiple: true,
      hint: 'PATH=VALUE',
      says: 'an entry of the payer on the page, before the flow',
    },
    signal: {
      type: 'string',
      multiple: true,
      hint: 'STEP.FIELD=VALUE',
      says: 'an answer of the payer while the flow runs',
    },
    ...SESSION_OPTIONS,
  },
  words: [1, 1],
  async run(given, io) {
    const found = await findConnectors(given, io.cwd);
    const [name = ''] = given.positionals;
    const input = await readJson(name, io);
    const own = await readProfile(given, io);
    const key = keyOf(given, input, found);
    const method = methodCalled(own?.methods[key]?.method ?? key, found);
    const account = await accountFor(given, found, io, ({ serves }) => serves.some((each) => each.method === method));
    const profile = own ?? profileFor(account, found.methods);
    const checked = validatedWith(input, found, profile, todayOf(given));
    const { session, issues, warnings } = checked;
    if (session === undefined)
      return {
        code: 1,
        json: { valid: false, errors: issues, warnings },
        text: (look) => verdict(name, issues, warnings, look),
      };
    const run = await paymentRun(registryOf(found), account, {
      session,
      key,
      method,
      profile,
      payer: pairs(listOf(given, 'answer'), '--answer'),
      urls: { notify: 'https://checkout.example/notify', return: 'https://checkout.example/return' },
      now: `${todayOf(given)}T12:00:00Z`,
      id: SAMPLE_ID,
    });
    if (run.kind === 'ready') return shown(account, run, turnsOf(given));
    return incomplete(run);
  },
};

type Run = Awaited<ReturnType<typeof paymentRun>>;

/** The payer has to be asked first, or what they would have entered is wrong. */
function incomplete(run: Exclude<Run, { kind: 'ready' }>): Answer {
  const wanted =
    run.kind === 'missing' ? run.fields.map(({ path, info }) => ({ path, message: english(info.label) })) : run.issues;
  const rows = wanted.map(({ path, message }) => ({ path, message }));
  const head =
    run.kind === 'missing'
      ? 'The payer would be asked first. Answer with --answer PATH=VALUE:'
      : 'What the payer enters is wrong:';
  return {
    code: 1,
    json: { [run.kind]: rows },
    text: (look) =>
      `${head}\n${look.table(
        ['path', 'what'],
        rows.map(({ path, message }) => [path, message]),
      )}`,
  };
}

/** The method that is previewed. */
function keyOf(given: Given, input: unknown, { methods }: Found): string {
  const asked = textOf(given, 'method');
  if (asked !== undefined) return asked;
  const named: unknown = typeof input === 'object' && input !== null && 'methods' in input ? input.methods : undefined;
  const keys = Array.isArray(named) ? named.filter((each) => typeof each === 'string') : methods.map(({ key }) => key);
  const [only, ...more] = keys;
  if (only === undefined || more.length > 0)
    throw new UsageError(
      `Say which method, with --method: ${(only === undefined ? methods.map(({ key }) => key) : keys).join(', ')}.`,
    );
  return only;
}

type Ready = Extract<Run, { kind: 'ready' }>;

async function shown(account: Account, { run, origins }: Ready, signals: Signals): Promise<Answer> {
  const runtime = await import('@railyard/runtime');
  const made = attempt();
  const base = withoutTrailingSlashes(run.connector.baseUrl(run.settings));
  return {
    code: 0,
    json: { account: account.id, connector: run.connector.id, baseUrl: base, ...made },
    text(look) {
      const head = `${run.connector.id}, ${account.id === 'sample' ? 'made-up settings' : `account ${account.id}`}: ${run.flow} of ${run.method.key}`;
      const requests = made.requests.map(({ step, method, baseUrl = base, path, values }, index) => {
        const rows = values.map(({ place, value, from }) => [place, value, from.join(', ') || 'the connector itself']);
        return `\n${look.paint('bold', `${index + 1}. ${step}: ${method} ${baseUrl}${path}`)}\n${look.table(['field', 'value', 'made from'], rows)}`;
      });
      return [head, ...requests, '', `It ends with: ${made.end}.`].join('\n');
    },
  };

  function attempt() {
    try {
      return runtime.preview(run, { origins, answers: { signals } });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new UsageError(
        `The flow ${run.flow} of ${run.connector.id} failed: ${withoutSecrets(why, run.connector, run.settings, runtime.isSecretSetting)}`,
      );
    }
  }
}

type Signals = Readonly<Record<string, Readonly<Record<string, string>>>>;

function turnsOf(given: Given): Signals {
  const signals: Record<string, Record<string, string>> = {};
  for (const [path, value] of Object.entries(pairs(listOf(given, 'signal'), '--signal'))) {
    const at = path.lastIndexOf('.');
    if (at < 1) throw new UsageError('--signal takes STEP.FIELD=VALUE, for example --signal collect.code=1234.');
    const step = path.slice(0, at);
    signals[step] = { ...signals[step], [path.slice(at + 1)]: value };
  }
  return signals;
}

function pairs(given: readonly string[], option: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((each) => {
      const at = each.indexOf('=');
      if (at < 1) throw new UsageError(`${option} takes a name and a value: ${option} NAME=VALUE.`);
      return [each.slice(0, at), each.slice(at + 1)];
    }),
  );
}
