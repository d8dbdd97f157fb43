import { allProofs, type NotificationVerification } from '@railyard/core/driver';
import { fieldInfo } from '@railyard/core/registry';
import { isSecretSetting } from '@railyard/runtime';
import { type Check, notApplicable, over, textOf } from '../check.ts';
import type { Finding } from '../finding.ts';
import { runsOf } from '../runs.ts';
import type { Subject } from '../subject.ts';
import { secretsOf } from '../proof.ts';
import { walk } from '../walk.ts';

/** Names that are credentials wherever they are met. */
const LIKE_A_SECRET = /secret|password|passphrase|private|token|api_?key|sign(?:ing|ature)?_?key/i;

type Proof = NotificationVerification<unknown>;

/** Whether a proof is checked with another secret once a setting is another: as it is, decoded, or a part of what is composed. */
function isPartOfSecret(proof: Proof, { settings }: Subject, name: string, value: string): boolean {
  if (typeof settings !== 'object' || settings === null) return false;
  const changed = secretsOf(proof, { ...settings, [name]: `${value}${value}` });
  return changed.join(' ') !== secretsOf(proof, settings).join(' ');
}

/** Whether a secret that a proof is checked with is one of the settings. */
const isOfAccount = (proof: Proof, subject: Subject): boolean =>
  Object.entries(subject.options.settings).some(
    ([name, value]) => typeof value === 'string' && value !== '' && isPartOfSecret(proof, subject, name, value),
  );

function without(settings: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const { [name]: _taken, ...rest } = settings;
  return rest;
}

const NO_SETTINGS = 'The connector has no settings.';

export const settingsChecks: readonly Check[] = [
  {
    id: 'required-settings-are-refused',
    level: 'required',
    title: 'without any one setting the schema refuses the settings, or the flows still make their requests',
    run({ connector, options, cases }) {
      return over(Object.keys(options.settings), NO_SETTINGS, (name): readonly Finding[] => {
        const path = `settings.${name}`;
        const parsed = connector.settings.safeParse(without(options.settings, name));
        if (!parsed.success)
          return parsed.error.issues.some((each) => each.path[0] === name)
            ? []
            : [{ path, says: 'Without it something else is refused. Let the message name the setting.' }];
        const settings: unknown = parsed.data;
        const threw = cases
          .flatMap((one) => runsOf(one, { ...one.deployment, settings }))
          .flatMap(({ name: flow, run, options: given }) => {
            const { end } = walk(run, given);
            return end.kind === 'threw'
              ? [{ path, says: `${flow} throws without it: ${textOf(end.error)} Make the setting required.` }]
              : [];
          });
        return threw.slice(0, 1);
      });
    },
  },
  {
    id: 'empty-settings-are-refused',
    level: 'excellent',
    title: 'an empty text in the place of a required setting is refused',
    run({ connector, options }) {
      const required = Object.entries(options.settings).filter(
        ([name, value]) =>
          typeof value === 'string' && !connector.settings.safeParse(without(options.settings, name)).success,
      );
      return over(required, 'No setting is a text that is required.', ([name]) => {
        const taken = connector.settings.safeParse({ ...options.settings, [name]: '' }).success;
        return taken ? [{ path: `settings.${name}`, says: 'An empty text is taken. Use z.string().min(1).' }] : [];
      });
    },
  },
  {
    id: 'secrets-are-marked',
    level: 'required',
    title: 'every credential among the settings is marked as secret',
    run(subject) {
      const { connector, options } = subject;
      const { notifications } = connector;
      const proofs = notifications === undefined ? [] : allProofs(notifications);
      const keys = proofs.flatMap((proof) => secretsOf(proof, subject.settings));
      return over(Object.entries(options.settings), NO_SETTINGS, ([name, value]) => {
        if (isSecretSetting(connector, name)) return [];
        const path = `settings.${name}`;
        if (keys.some((key) => key === value))
          return [{ path, says: 'Notifications are verified with it. Declare it with secret(…).' }];
        return LIKE_A_SECRET.test(name) && !/public/i.test(name)
          ? [{ path, says: 'It looks like a credential. Declare it with secret(…), or give it another name.' }]
          : [];
      });
    },
  },
  {
    id: 'settings-have-labels',
    level: 'excellent',
    title: 'every setting has a label',
    run: ({ connector }) =>
      over(Object.entries(connector.settings.shape), NO_SETTINGS, ([name, schema]) =>
        fieldInfo(schema, name).label === name
          ? [
              {
                path: `settings.${name}`,
                says: 'It has no label. Wrap the schema in field(…, { label }) or secret(…, label).',
              },
            ]
          : [],
      ),
  },
  {
    id: 'base-url-is-absolute',
    level: 'required',
    title: 'the base URL is an absolute http or https address without a query',
    run({ connector, settings }) {
      const base = connector.baseUrl(settings);
      const url = URL.canParse(base) ? new URL(base) : undefined;
      const fits =
        url !== undefined &&
        /^https?:$/.test(url.protocol) &&
        url.search === '' &&
        url.hash === '' &&
        url.username === '';
      return fits
        ? []
        : [{ path: 'baseUrl', says: `"${base}" is not one. Answer an address such as https://api.example.` }];
    },
  },
  {
    id: 'notifications-have-a-key',
    level: 'required',
    title: 'notifications are verified with a key of the account, not with one of the code',
    run(subject) {
      const { notifications } = subject.connector;
      if (notifications === undefined) return notApplicable('The connector takes no notifications.');
      const { scheme } = notifications.verify;
      if (scheme === 'unsigned') return notApplicable('Its notifications are unsigned.');
      const secret = allProofs(notifications).filter((proof) => secretsOf(proof, subject.settings).length > 0);
      if (secret.length === 0) return notApplicable(`Its notifications are verified without a secret (${scheme}).`);
      return secret.every((proof) => isOfAccount(proof, subject))
        ? []
        : [
            {
              path: 'notifications.verify',
              says: 'The key is none of the settings. Take it from a setting that is marked as secret.',
            },
          ];
    },
  },
];
