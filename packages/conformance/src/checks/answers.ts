import { money, readPath } from '@railyard/core';
import { allProofs, type AnyEndpoint, isForFlow, isRefusal, type Meaning } from '@railyard/core/driver';
import { type Answers, answersOf, NOT_DOCUMENTED, QUESTIONS, UNDECIDED } from '../answers.ts';
import { type Check, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';
import { asText, leavesOf } from '../leaves.ts';
import { outcomesOf, runsOf } from '../runs.ts';
import { isDecline } from '../play/refused-repeat.ts';
import type { Subject } from '../subject.ts';
import { walk } from '../walk.ts';

const NOT_GIVEN = notApplicable('No page of answers was given: answers: new URL("../answers.md", import.meta.url).');

/** The values of an answer that are decided. */
function decided(answers: Answers, question: (typeof QUESTIONS)[number]): ReadonlyMap<string, string> {
  const values = [...(answers.get(question)?.values ?? [])];
  return new Map(values.filter(([, value]) => value !== UNDECIDED && value !== NOT_DOCUMENTED));
}

const listed = (value: string | undefined): readonly string[] =>
  (value ?? '').split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));

const says = (question: (typeof QUESTIONS)[number], text: string): Finding => ({
  path: `answers.${question}`,
  says: text,
});

/** Compares the connector with the answers that are given. The check `answers-are-decided` reports those that are missing. */
type Judge = (subject: Subject, values: ReadonlyMap<string, string>) => readonly Finding[];

/** The requests that move money the first time, in each currency of the samples. */
const judgeAmounts: Judge = ({ cases }, units) =>
  cases.flatMap((one) => {
    const [first] = runsOf(one, one.deployment, 'operation');
    const order = (name: string) => String(readPath(one.request, `order.${name}`) ?? '');
    if (first === undefined || order('amount') === '') return [];
    const currency = order('currency');
    const { text, minor } = money(order('amount'), currency);
    const unit = units.get(currency.toLowerCase()) ?? units.get('all');
    if (unit === undefined || text === String(minor)) return [];
    const sent = walk(first.run, first.options).requests.flatMap(({ endpoint, wire }) =>
      leavesOf({ ...wire, headers: undefined }).map(({ value }) => ({
        endpoint,
        value: asText(value)?.replaceAll('"', ''),
      })),
    );
    const forms = { minor: [String(minor)], decimal: [text, String(Number(text)), text.replace(/0$/, '')] };
    const other = unit === 'minor' ? 'decimal' : 'minor';
    if (unit !== 'minor' && unit !== 'decimal')
      return [says('Unit of amounts', `${currency}: "${unit}" is no unit. Write minor or decimal.`)];
    const has = (form: keyof typeof forms) => sent.find(({ value = '' }) => forms[form].includes(value));
    const wrong = has(other);
    return wrong === undefined || has(unit) !== undefined
      ? []
      : [
          says(
            'Unit of amounts',
            `The documentation writes ${currency} as ${unit}, and ${wrong.endpoint.name} sends ${wrong.value} for ${text}.`,
          ),
        ];
  });

const judgeKeys: Judge = ({ cases, connector }, values) => {
  const header = values.get('header');
  const keyed = connector.endpoints.filter(({ repeat }) => repeat === 'keyed');
  const [, hours] = /^(\d{1,6}) hours$/.exec(values.get('kept') ?? '') ?? [];
  const late = keyed.filter((each) => hours !== undefined && !((each.keyed?.forHours ?? Infinity) <= Number(hours)));
  if (late.length > 0)
    return late.map(({ name }) =>
      says(
        'Idempotency key',
        `The provider keeps a key for ${hours} hours: declare keyed: { forHours: ${hours} } of ${name}.`,
      ),
    );
  if (header === undefined) return [];
  if (header === 'none')
    return keyed.map(({ name }) =>
      says(
        'Idempotency key',
        `The provider takes no key, and ${name} is declared repeat: 'keyed'. Declare by-reference or once.`,
      ),
    );
  const requests = cases.flatMap((one) => runsOf(one).flatMap(({ run, options }) => walk(run, options).requests));
  const bare = new Set(
    requests
      .filter(({ endpoint, wire }) => endpoint.repeat === 'keyed' && wire.headers?.[header.toLowerCase()] === undefined)
      .map(({ endpoint }) => endpoint.name),
  );
  return [...bare].map((name) =>
    says('Idempotency key', `${name} sends no header ${header}. Give it the step's key there.`),
  );
};

const judgeLookup: Judge = ({ cases, connector }, values) => {
  const by = values.get('by');
  if (by === undefined) return [];
  if (!['our reference', "the provider's id", 'both', 'none'].includes(by))
    return [
      says('Look-up after a lost reply', `"${by}" is no answer. Write our reference, the provider's id, both or none.`),
    ];
  if ((by === 'none') !== (connector.lookups === 'none'))
    return [
      says(
        'Look-up after a lost reply',
        by === 'none'
          ? "Declare lookups: 'none'."
          : "The connector declares lookups: 'none', and the provider can be asked.",
      ),
    ];
  if (by !== 'our reference' && by !== 'both') return [];
  return cases.flatMap((one) =>
    runsOf(one)
      .filter(({ name }) => name.endsWith('status without a reference'))
      .flatMap(({ run, options, name }) =>
        walk(run, options).requests.length > 0
          ? []
          : [
              says(
                'Look-up after a lost reply',
                `${name} asks the provider nothing. Look the payment up by payment.merchantReference.`,
              ),
            ],
      ),
  );
};

const isFinal = (meaning: Meaning): 'settled' | 'declined' | undefined => {
  if (meaning === 'settled') return 'settled';
  return isDecline(meaning) ? 'declined' : undefined;
};

const judgeFinalWords: Judge = ({ connector: { statuses } }, values) =>
  (['settled', 'declined'] as const).flatMap((state) => {
    if (!values.has(state)) return [];
    const answered = new Set(listed(values.get(state)));
    const rows = Object.keys(statuses.rows).filter((word) => isFinal(statuses.rows[word] ?? 'pending') === state);
    const missing = [...answered].filter((word) => !rows.includes(word));
    const extra = rows.filter((word) => !answered.has(word));
    return [
      ...missing.map((word) => says('Final words', `"${word}" is ${state} by the documentation and not by the table.`)),
      ...extra.map((word) =>
        says('Final words', `The table reads "${word}" as ${state}, and the answer does not name it.`),
      ),
    ];
  });

const judgeEffectWords: Judge = ({ options: { simulation } }, values) =>
  (['refund', 'capture'] as const).flatMap((effect) => {
    const isPlayed = Object.values(simulation?.endpoints ?? {}).some((endpoint) => endpoint.effect === effect);
    if (simulation === undefined || !isPlayed) return [];
    const words: Readonly<Record<string, string | undefined>> = {
      ...simulation.words,
      ...simulation.effectWords?.[effect],
    };
    return (['settled', 'pending', 'declined'] as const).flatMap((state) => {
      const answered = values.get(`${effect} ${state}`);
      const word = words[state];
      return answered === undefined || word === undefined || listed(answered).includes(word)
        ? []
        : [
            says(
              'Words of refunds, captures and disputes',
              `The simulation says "${word}" for a ${effect} that is ${state}, and the documentation "${answered}".`,
            ),
          ];
    });
  });

/** Whether a variant of an endpoint that moves money tells such a status as a refusal. */
const refusing = ({ variants, repeat }: AnyEndpoint, takes: (status: number) => boolean): boolean =>
  repeat !== 'safe' &&
  Object.values(variants).some((variant) =>
    [variant.status].flat().some((status) => takes(status) && isForFlow(variant, status) && isRefusal(variant, status)),
  );

const judgeRefusals: Judge = ({ connector: { endpoints } }, values) =>
  (
    [
      ['409', (status: number) => status === 409],
      ['429', (status: number) => status === 429],
      ['5xx', (status: number) => status >= 500],
    ] as const
  ).flatMap(([name, takes]) => {
    const answered = values.get(name);
    if (answered === undefined || answered === 'refused') return [];
    return endpoints
      .filter((endpoint) => refusing(endpoint, takes))
      .map((endpoint) =>
        says(
          '409, 429 and server errors',
          `${endpoint.name} reads ${name} as a refusal, and by the documentation it is: ${answered}. Leave it undescribed, or declare refuses: false.`,
        ),
      );
  });

const judgeProof: Judge = ({ connector: { notifications } }, values) => {
  if (notifications === undefined || values.size === 0) return [];
  // With two proofs the answer is about the one that has its scheme.
  const proofs = allProofs(notifications).map((proof): Readonly<Record<string, unknown>> => ({ ...proof }));
  const declared = proofs.find(({ scheme }) => scheme === values.get('scheme')?.toLowerCase()) ?? proofs[0] ?? {};
  return (['scheme', 'algorithm', 'encoding', 'header'] as const).flatMap((name) => {
    const answered = values.get(name);
    return answered === undefined ||
      asText(declared[name])?.replaceAll('"', '').toLowerCase() === answered.toLowerCase()
      ? []
      : [
          says(
            'Signature of webhooks',
            `${name} is "${answered}" by the documentation, and ${asText(declared[name]) ?? 'nothing'} in verify.`,
          ),
        ];
  });
};

const judgeAddress: Judge = ({ connector: { notifications } }, values) => {
  const answered = values.get('address');
  const declared = notifications?.address ?? 'in-requests';
  return notifications === undefined || answered === undefined || answered === declared
    ? []
    : [says('Address of webhooks', `The answer is "${answered}", and the connector declares ${declared}.`)];
};

const judgeAcknowledgement: Judge = ({ connector: { notifications } }, values) => {
  if (notifications === undefined) return [];
  const { status = 200, body = '' } = notifications.acknowledge ?? {};
  const declared = { status: String(status), body };
  return (['status', 'body'] as const).flatMap((name) => {
    const answered = values.get(name);
    return answered === undefined || answered === declared[name]
      ? []
      : [
          says(
            'Acknowledgement of webhooks',
            `The provider expects the ${name} "${answered}", and the connector answers "${declared[name]}".`,
          ),
        ];
  });
};

/** The ends that the connector tells, by samples whose replies name one: in UTC, as the contract has them. */
const judgeExpiry: Judge = ({ cases }, values) =>
  values.get('shown') !== 'yes'
    ? []
    : cases.flatMap((one) => {
        const [first] = runsOf(one, one.deployment, 'operation');
        const outcomes = first === undefined ? [] : outcomesOf(walk(first.run, first.options));
        return outcomes.flatMap((outcome) =>
          outcome.status !== 'pending' || outcome.show === undefined || 'validUntil' in outcome.show
            ? []
            : [says('Expiry and time zone', `${one.path} shows a ${outcome.show.kind} without validUntil.`)],
        );
      });

const JUDGES: Readonly<Record<(typeof QUESTIONS)[number], Judge | 'read by people'>> = {
  'Unit of amounts': judgeAmounts,
  'Idempotency key': judgeKeys,
  'Look-up after a lost reply': judgeLookup,
  'Final words': judgeFinalWords,
  'Words of refunds, captures and disputes': judgeEffectWords,
  '409, 429 and server errors': judgeRefusals,
  'Signature of webhooks': judgeProof,
  'Address of webhooks': judgeAddress,
  'Acknowledgement of webhooks': judgeAcknowledgement,
  'Retries of webhooks': 'read by people',
  'Mark of test payments': 'read by people',
  'Expiry and time zone': judgeExpiry,
};

export const answerChecks: readonly Check[] = [
  {
    id: 'answers-are-kept',
    level: 'required',
    title: "the connector keeps what the page of answers says by the provider's documentation",
    async run(subject) {
      const answers = await answersOf(subject.options);
      if (answers === undefined) return NOT_GIVEN;
      return QUESTIONS.flatMap((question) => {
        const judge = JUDGES[question];
        return judge === 'read by people' ? [] : judge(subject, decided(answers, question));
      });
    },
  },
  {
    id: 'answers-are-decided',
    level: 'recommended',
    title:
      "each question of the page of answers has an answer, a sentence of the provider's documentation and its place",
    async run({ options }) {
      const answers = await answersOf(options);
      if (answers === undefined) return NOT_GIVEN;
      return QUESTIONS.flatMap((question) => {
        const { values = new Map<string, string>(), quotation = '', source = '' } = answers.get(question) ?? {};
        const open = [...values].filter(([, value]) => value === UNDECIDED).map(([name]) => name);
        if (values.size === 0)
          return [says(question, 'There is no answer. Write lines "- name: value" under its title.')];
        if (open.length > 0)
          return [
            says(
              question,
              `${open.join(', ')}: undecided. Look it up, and write the answer with its place, or "not documented".`,
            ),
          ];
        if (source.length < 4) return [says(question, 'Write "Source: " with the place in the documentation.')];
        const isSilent = [...values.values()].every((value) => value === NOT_DOCUMENTED);
        return isSilent || quotation.length >= 8 ? [] : [says(question, 'Copy the sentence that says so behind "> ".')];
      });
    },
  },
];
