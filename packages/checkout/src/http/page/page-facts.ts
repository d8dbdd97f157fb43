import type { PayerText } from '@railyard/core';
import type { ScheduleTerms } from '@railyard/core/protocol';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { FlowRun, Payment } from '../../storage/index.ts';
import type { SavedCard } from '../../cards/index.ts';

/** The known facts of a session when its page is rendered. */
export interface PageFacts {
  readonly session: OpenSession;
  /** The attempt that the payer sees. */
  readonly payment: Payment | undefined;
  /** Every attempt, newest first. */
  readonly attempts: readonly Payment[];
  readonly runs: readonly FlowRun[];
  /** The method that the payer chose, and what was entered. */
  readonly chosen?: string | undefined;
  /** The key of the saved card that the payer chose, or `new`. */
  readonly chosenCard?: string | undefined;
  readonly savedCards: readonly SavedCard[];
  readonly entered?: ReadonlyMap<string, string>;
  /** `true`: the amount among it is as the payer typed it; otherwise the page wrote it, in the protocol's format. */
  readonly amountTyped?: boolean;
  /** `true`: the payer wants to say another amount. */
  readonly changesAmount?: boolean;
  /** Field name → why it was refused. */
  readonly problems?: ReadonlyMap<string, PayerText>;
  /** How the payer writes numbers, as a BCP 47 tag; English unless given. */
  readonly locale?: string;
  /** The terms of the schedule that the payer is asked to agree to. */
  readonly terms?: ScheduleTerms | undefined;
  /** `true`: the payer asked for another attempt. */
  readonly again: boolean;
  /** The method that the payer used while another attempt was under way. */
  readonly unpaid?: string | undefined;
  /** `true`: the payer wanted to leave an attempt that may still bring money. */
  readonly leaving?: boolean;
}
