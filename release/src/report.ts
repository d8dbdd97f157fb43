import { statSync } from 'node:fs';
import { UNRELEASED } from './first-releases.ts';
import type { Release } from './make-release.ts';
import type { PlannedRelease, Reason } from './plan.ts';
import type { UnsaidChange } from './unsaid-changes.ts';

/** Packages that would be published, with version and reason, and changed ones that would not; in Markdown. */
export function reportOf(releases: readonly Release[], unsaid: readonly UnsaidChange[]): string {
  const published =
    releases.length === 0 ? ['Nothing waits to be released: there is no changeset.'] : linesOf(releases);
  return ['# Release', '', ...published, ...unsaidLines(unsaid), ''].join('\n');
}

function linesOf(releases: readonly Release[]): string[] {
  const rows = releases.map(({ planned, packed, compared }) => [
    planned.name,
    planned.from,
    planned.to,
    planned.step,
    compared.needed ?? (planned.from === UNRELEASED ? 'first release' : 'cannot be compared'),
    String(packed.paths.length),
    `${Math.ceil(statSync(packed.tarball).size / 1024)} KB`,
  ]);
  return [
    table(['package', 'now', 'would be', 'step', 'smallest step', 'files', 'packed'], rows),
    ...releases.flatMap(({ planned }) => ['', `## ${planned.name} ${planned.to}`, '', ...whyOf(planned)]),
  ];
}

function unsaidLines(unsaid: readonly UnsaidChange[]): string[] {
  if (unsaid.length === 0) return [];
  return [
    '',
    '## Changed, and no changeset says so',
    '',
    'They stay as they are. Where users see the change, write one: `npm run changeset`.',
    '',
    ...unsaid.map(({ name, version, files }) => `- ${name}, since ${version}: ${files.join(', ')}`),
  ];
}

/** The changesets of the step that decides; how many others go along. */
function whyOf({ step, reasons }: PlannedRelease): string[] {
  const deciding = reasons.filter((reason) => reason.step === step);
  const others = reasons.filter((reason) => reason.step !== step);
  return [
    ...deciding.map(({ says }) => `- ${step}: ${firstLine(says)}`),
    ...(others.length === 0 ? [] : [`- and ${countsOf(others)}, which the changelog tells`]),
  ];
}

function countsOf(reasons: readonly Reason[]): string {
  const steps = ['major', 'minor', 'patch'] as const;
  return steps
    .map((step) => ({ step, count: reasons.filter((reason) => reason.step === step).length }))
    .flatMap(({ step, count }) => (count === 0 ? [] : [`${count} ${step}`]))
    .join(' and ');
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
