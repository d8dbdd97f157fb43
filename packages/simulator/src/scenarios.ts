/** The course of a payment at the provider. */
export interface Course {
  /** The state right after the request; `none`: the request leaves no trace. */
  readonly starts: 'settled' | 'pending' | 'declined' | 'none';
  /** The change that happens by itself after `times.settleAfterMs`. */
  readonly later?: 'settled';
  /** How the creating request is answered the first time. A repeat of it is answered as usual, unless `repeats` says otherwise. */
  readonly answer: 'whole' | 'nothing' | 'html-502' | 'truncated' | 'slow' | 'after-deadline';
  /** `given-up`: the provider acts when the caller has stopped waiting. */
  readonly happens?: 'given-up';
  /** For so many seconds from its first send on, a request is turned away with 429 and `Retry-After`. */
  readonly busySeconds?: number;
  /** `refused`: a second request under the same key or reference, also while the first one is still on its way. */
  readonly repeats?: 'refused';
  /** `lagging`: lookups do not know it at first. */
  readonly lookups?: 'lagging';
  /** `half`: of the amount that was asked for, where replies name an amount. */
  readonly approves?: 'half';
  /** `odd`: the provider's free texts hold a NUL and half a character. */
  readonly words?: 'odd';
  /** Whether modifications of the payment meet the same. */
  readonly modificationsToo?: true;
  /** The course of captures, voids and refunds of the payment: `starts` in the reply, `later` after `times.settleAfterMs`. */
  readonly modifications?: { readonly starts: 'pending' | 'settled'; readonly later?: 'settled' | 'declined' };
  readonly says: string;
}

/** The faults are the hard ones: the money has moved, and the caller cannot know. */
const COURSES = {
  settled: { starts: 'settled', answer: 'whole', says: 'Settled in the reply.' },
  'pending-then-settled': {
    starts: 'pending',
    later: 'settled',
    answer: 'whole',
    says: 'Pending, and settled a little later.',
  },
  declined: { starts: 'declined', answer: 'whole', says: 'Declined in the reply.' },
  manual: {
    starts: 'pending',
    answer: 'whole',
    says: 'Pending until the payer pays or declines it, on the page or through the control interface.',
  },
  'never-answers': {
    starts: 'none',
    answer: 'nothing',
    says: 'The request is taken and never answered; nothing happens.',
  },
  'answers-after-charging': {
    starts: 'settled',
    answer: 'nothing',
    says: 'The money moves, and the answer never comes.',
  },
  '502-html': {
    starts: 'settled',
    answer: 'html-502',
    says: 'The money moves, and a gateway answers 502 with a page.',
  },
  truncated: { starts: 'settled', answer: 'truncated', says: 'The money moves, and the reply breaks off.' },
  'too-many-requests': {
    starts: 'settled',
    answer: 'whole',
    busySeconds: 10,
    modificationsToo: true,
    says: 'Turned away with 429 and Retry-After for ten seconds, and then settled.',
  },
  slow: { starts: 'settled', answer: 'slow', says: 'Settled, and answered late.' },
  'late-answer': {
    starts: 'settled',
    answer: 'after-deadline',
    modificationsToo: true,
    says: 'The money moves, and the answer comes when no caller waits any more.',
  },
  'late-effect': {
    starts: 'settled',
    answer: 'nothing',
    happens: 'given-up',
    modificationsToo: true,
    says: 'The money moves when the caller has stopped waiting.',
  },
  'refuses-repeat': {
    starts: 'settled',
    answer: 'nothing',
    repeats: 'refused',
    modificationsToo: true,
    says: 'The money moves, the answer never comes, and a repeat is refused.',
  },
  'lagging-lookup': {
    starts: 'settled',
    answer: 'nothing',
    lookups: 'lagging',
    modificationsToo: true,
    says: 'The money moves, the answer never comes, and lookups do not know it at first.',
  },
  'lagging-and-refusing': {
    starts: 'settled',
    answer: 'nothing',
    repeats: 'refused',
    lookups: 'lagging',
    modificationsToo: true,
    says: 'The money moves, the answer never comes, a repeat is refused, and lookups do not know it at first.',
  },
  hostile: {
    starts: 'settled',
    answer: 'nothing',
    happens: 'given-up',
    repeats: 'refused',
    lookups: 'lagging',
    modificationsToo: true,
    says: 'The money moves when the caller has stopped waiting, a repeat is refused, and lookups do not know it at first.',
  },
  'pending-modification': {
    starts: 'settled',
    answer: 'whole',
    modifications: { starts: 'pending' },
    says: 'Settled; a capture, void or refund is pending until it is settled or declined through the control interface.',
  },
  'late-modification': {
    starts: 'settled',
    answer: 'whole',
    modifications: { starts: 'pending', later: 'settled' },
    says: 'Settled; a capture, void or refund is pending, and settled a little later.',
  },
  'failing-modification': {
    starts: 'settled',
    answer: 'whole',
    modifications: { starts: 'pending', later: 'declined' },
    says: 'Settled; a capture, void or refund is pending, and declined a little later.',
  },
  'undone-modification': {
    starts: 'settled',
    answer: 'whole',
    modifications: { starts: 'settled', later: 'declined' },
    says: 'Settled; a capture, void or refund is settled in the reply, and fails a little later.',
  },
  partial: { starts: 'settled', answer: 'whole', approves: 'half', says: 'Half of the amount is approved.' },
  'odd-text': {
    starts: 'declined',
    answer: 'whole',
    words: 'odd',
    says: 'Declined, for a reason that holds a NUL and half a character.',
  },
} as const satisfies Record<string, Course>;

export type Scenario = keyof typeof COURSES;
export const SCENARIOS = Object.keys(COURSES).filter(isScenario);

export function isScenario(text: string): text is Scenario {
  return Object.hasOwn(COURSES, text);
}

export function courseOf(scenario: Scenario): Course {
  return COURSES[scenario];
}

/** The course of a modification on a payment, if its scenario is about modifications too. */
export function courseOfModification(scenario: Scenario): Course | undefined {
  const course = courseOf(scenario);
  return course.modificationsToo === true ? course : undefined;
}

/** How the provider notifies of a change. `forged`: an attacker claims that the payment is settled. */
export const NOTIFICATION_MODES = ['once', 'twice', 'late', 'days-later', 'shuffled', 'forged', 'none'] as const;
export type NotificationMode = (typeof NOTIFICATION_MODES)[number];

const MARKER = /\bsimulate:([a-z0-9-]+)/;

/**
 * The scenario that a request asks for: a text in it, its description for example, that holds `simulate:declined`.
 *
 * @returns nothing where there is no marker or no such scenario
 */
export function markedScenario(value: unknown): Scenario | undefined {
  if (typeof value === 'string') {
    const name = MARKER.exec(value)?.[1];
    return name !== undefined && isScenario(name) ? name : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const each of Object.values(value)) {
    const found = markedScenario(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
