import { HOST_MODIFICATIONS } from '../host/disk.ts';
import { type Check, NO_PROVIDER, NO_SAMPLE, notApplicable, NOTHING_PLAYED, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { pairsOf } from '../host/scenario.ts';
import { baselines, shared, trouble } from '../play/judge.ts';
import type { Subject } from '../subject.ts';

interface Crashed {
  readonly point: string;
  readonly modification: boolean;
  readonly findings: readonly Finding[];
}

/** Every story with a crash at each of its points, played once for the checks below. */
function crashes(subject: Subject): Promise<readonly Crashed[]> {
  return shared(subject, 'crashes', async () => {
    const found: Crashed[] = [];
    for (const baseline of (await baselines(subject)).all)
      for (const [index, point] of baseline.played.points.entries()) {
        const findings = await trouble(
          subject,
          baseline,
          { crashes: [index + 1] },
          `after a crash at ${index + 1}, ${point}`,
        );
        found.push({ point, modification: baseline.story.modification !== undefined, findings });
      }
    return found;
  });
}

async function at(subject: Subject, which: (crashed: Crashed) => boolean): Promise<Verdict> {
  if (subject.provider === undefined) return NO_PROVIDER;
  const fitting = (await crashes(subject)).filter(which);
  return fitting.length === 0 ? NOTHING_PLAYED : fitting.flatMap(({ findings }) => findings);
}

const isCall = (point: string) => / (GET|POST|PUT|PATCH|DELETE) /.test(` ${point} `);

export const crashChecks: readonly Check[] = [
  {
    id: 'plays-to-its-end',
    level: 'required',
    title: 'every sample is paid at the provider, and the payment knows it',
    async run(subject) {
      if (subject.provider === undefined) return NO_PROVIDER;
      const { all, problems } = await baselines(subject);
      if (all.length === 0 && problems.length === 0) return NO_SAMPLE;
      const stuck = all.flatMap(({ story, played: { payment, provider } }) => {
        const { state, unknown } = payment.state;
        const nothing = provider.ledger.length === 0;
        const open = state === 'created' || unknown;
        if (!nothing && !open) return [];
        const what = nothing
          ? 'the provider has nothing in its ledger'
          : `the payment is ${unknown ? 'unknown' : state}`;
        const why = payment.reason === undefined ? '' : ` (${payment.reason})`;
        return [
          {
            path: `sessions.${story.case.path}`,
            says: `${story.name}: in the end ${what}${why}. ${nothing ? 'See where the simulation reads reference and amount, and how the request writes them; else give' : 'Give'} a sample that can be paid, or mend the flow.`,
          },
        ];
      });
      return [...problems, ...stuck];
    },
  },
  {
    id: 'crash-around-calls',
    level: 'required',
    title: 'a crash before or after any call has one effect at most',
    run: (subject) => at(subject, ({ point, modification }) => !modification && isCall(point)),
  },
  {
    id: 'crash-around-journal-writes',
    level: 'required',
    title: 'a crash before or after any write of the journal has one effect at most',
    run: (subject) =>
      at(subject, ({ point, modification }) => !modification && !isCall(point) && !point.includes('commit')),
  },
  {
    id: 'crash-around-commits',
    level: 'required',
    title: 'a crash before or after any commit of the host has one effect at most',
    run: (subject) => at(subject, ({ point, modification }) => !modification && point.includes('commit')),
  },
  {
    id: 'crash-in-modifications',
    level: 'required',
    title: 'a crash anywhere in a capture, refund, void or later charge has one effect at most',
    async run(subject) {
      const modifying = subject.cases.some(({ flows }) => HOST_MODIFICATIONS.some((name) => flows[name] !== undefined));
      return modifying
        ? at(subject, ({ modification }) => modification)
        : notApplicable('The connector has no modifications.');
    },
  },
  {
    id: 'crash-twice',
    level: 'recommended',
    title: 'a crash on the way and another after the restart have one effect at most',
    async run(subject) {
      if (subject.provider === undefined) return NO_PROVIDER;
      const { all } = await baselines(subject);
      if (all.length === 0) return NOTHING_PLAYED;
      const found: Finding[] = [];
      for (const baseline of all)
        for (const [first, later] of pairsOf(baseline.played.points.length, 12))
          found.push(
            ...(await trouble(
              subject,
              baseline,
              { crashes: [first, first + later] },
              `after crashes at ${first} and ${first + later}`,
            )),
          );
      return found;
    },
  },
];
