import * as z from 'zod';
import { MOST_DAYS, RETENTION, type RetentionSetting } from '../storage/retention-settings.ts';

function days(setting: RetentionSetting) {
  const { days: usual, least, from } = RETENTION[setting];
  return z.int().min(least).max(MOST_DAYS).default(usual).describe(`${from} At least ${least}.`);
}

/** For how many days what is personal is kept; a setting that is left out has its default. */
export const retentionSchema = z.strictObject({
  sessions: days('sessions'),
  payments: days('payments'),
  runs: days('runs'),
  notifications: days('notifications'),
  events: days('events'),
  callbacks: days('callbacks'),
  attempts: days('attempts'),
  cards: days('cards'),
  drift: days('drift'),
});
