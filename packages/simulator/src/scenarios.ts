/** What becomes of a payment at the provider. */
interface Course {
  /** The state right after the request; `none`: the request leaves no trace. */
  readonly starts: 'settled' | 'pending' | 'declined' | 'none';
  /** What happens by itself after `times.settleAfterMs`. */
  readonly later?: 'settled';
  /** How the creating request is answered the first time. A repeat of it is answered as usual. */
  readonly answer: 'whole' | 'nothing' | 'html-502' | 'truncated' | 'slow';
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
  manual: { starts: 'pending', answer: 'whole', says: 'Pending until somebody pays or declines it.' },
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
  slow: { starts: 'settled', answer: 'slow', says: 'Settled, and answered late.' },
} as const satisfies Record<string, Course>;

export type Scenario = keyof typeof COURSES;
export const SCENARIOS = Object.keys(COURSES).filter(isScenario);

export function isScenario(text: string): text is Scenario {
  return Object.hasOwn(COURSES, text);
}

export function courseOf(scenario: Scenario): Course {
  return COURSES[scenario];
}

/** How the provider tells of a change. `forged`: somebody else claims that the payment is settled. */
export const NOTIFICATION_MODES = ['once', 'twice', 'late', 'shuffled', 'forged', 'none'] as const;
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
