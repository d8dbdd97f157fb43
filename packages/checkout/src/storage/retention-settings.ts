/** How long what is personal is kept, in days: the default, the least that may be set, and from when the days count. */
interface Keeping {
  readonly days: number;
  readonly least: number;
  readonly from: string;
}

/** The longest that any setting takes: a hundred years. */
export const MOST_DAYS = 36_500;

/**
 * One setting for what goes together. 400 days: a payer may dispute a payment for 13 months, and what the dispute needs is there so long.
 */
export const RETENTION = {
  sessions: { days: 90, least: 30, from: 'An unpaid session, from its end.' },
  payments: {
    days: 400,
    least: 120,
    from: 'Who paid, from where and with what, from the last change of a session’s payments. Afterwards they cannot be refunded here.',
  },
  runs: { days: 180, least: 30, from: 'What a connector’s flow was given and was answered, from its end.' },
  notifications: { days: 180, least: 30, from: 'Notifications of providers, from their arrival.' },
  events: { days: 400, least: 30, from: 'The provider’s words in an event, from the event.' },
  callbacks: { days: 400, least: 30, from: 'Callbacks, from their delivery or last attempt.' },
  attempts: { days: 90, least: 30, from: 'The log of callback attempts, from the attempt.' },
  cards: {
    days: 30,
    least: 1,
    from: 'A card’s number and the name on it, from the last change of its payment, unless the card is saved.',
  },
  drift: {
    days: 180,
    least: 7,
    from: 'What replies of providers had beside their description, from when it was last seen.',
  },
} as const satisfies Record<string, Keeping>;

export type RetentionSetting = keyof typeof RETENTION;

/** Days by setting. */
export type RetentionDays = Readonly<Record<RetentionSetting, number>>;
