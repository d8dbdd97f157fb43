import { type Answer, termsIssues, termsSchema, validationAnswer } from '@railyard/core/protocol';
import * as z from 'zod';
import { ofTest } from '../../callbacks/body.ts';
import { paused, resumed, termsOf, withTerms } from '../../schedules.ts';
import { merchantDay } from '../../schedules.ts';
import { namedSchedule } from '../../schedules.ts';
import { tokenHash } from '../../payments/change/callbacks.ts';
import type { Asker } from '../../sessions/session.ts';
import { type Chain, isPaused, type MerchantScope, type Schedule } from '../../storage/index.ts';
import { requiredText } from '../basics/call.ts';
import {
  type Command,
  type CommandBody,
  createdScheduleSchema,
  defineCommand,
  scheduleInfoSchema,
  scheduleSchema,
  signedByFields,
  signedFields,
} from './command.ts';
import type { CommandDeps } from '../deps.ts';
import { refusedBy } from './command.ts';

const namingFields = { ...signedFields, schedule_id: requiredText.describe('The schedule.') };

type Naming = z.output<z.ZodObject<typeof namingFields>>;

/** Retired; answered with a text of its own (protocol: Recurring schedule parameters). */
const retired = { delays: z.unknown().describe('Retired, and refused.').optional() };

const createSchema = z.object({ ...signedFields, ...retired, ...termsSchema.shape });

const { delayed_first_payment, retry_days, ...others } = termsSchema.shape;
/** Without defaults: an absent field keeps its value. */
const changesSchema = z
  .object({ ...others, delayed_first_payment: delayed_first_payment.unwrap(), retry_days: retry_days.unwrap() })
  .partial();
const updateSchema = z.object({ ...namingFields, ...retired, ...changesSchema.shape });

const SUCCESS = 'SUCCESS' as const;

const succeeded = <M extends object>(action: string, { test }: MerchantScope, more: M) => ({
  status: 200,
  body: { action, result: SUCCESS, ...more, ...ofTest(test) },
});

const changed = (action: string, scope: MerchantScope) => succeeded(action, scope, {});

const signedByName = signedByFields('schedule', ({ schedule_id }: Naming) => ({ schedule_id }));

/** Makes a schedule (reference: CREATE_SCHEDULE). Its id is the resource's, so that a repeat makes no second one. */
const createSchedule = defineCommand({
  action: 'CREATE_SCHEDULE',
  schema: createSchema,
  answer: createdScheduleSchema,
  signedBy: signedByFields('schedule', () => ({ schedule_id: '' })),
  async handle(context, { scope }, { client_key: _key, hash: _hash, delays, ...terms }, { resourceId: schedule_id }) {
    if (delays !== undefined) return refusedBy('deprecated');
    const issues = termsIssues(terms);
    if (issues.length > 0) return validationAnswer(issues);
    await context.stores.schedules.create(schedule_id, scope, [{ terms }]);
    return succeeded('CREATE_SCHEDULE', scope, { schedule_id });
  },
});

/** Changes only the fields that are sent (protocol: UPDATE_SCHEDULE). */
const updateSchedule = defineCommand({
  action: 'UPDATE_SCHEDULE',
  schema: updateSchema,
  answer: scheduleSchema,
  signedBy: signedByName,
  async handle(context, asker, { client_key: _key, hash: _hash, delays, schedule_id, ...changes }) {
    if (delays !== undefined) return refusedBy('deprecated');
    const today = await merchantDay(context, asker.scope, asker.merchant);
    return change(context, asker, 'UPDATE_SCHEDULE', schedule_id, (schedule) => {
      const next = withTerms(schedule, changes, today);
      const issues = termsIssues(termsOf(next));
      return issues.length > 0 ? validationAnswer(issues) : next;
    });
  },
});

const token = requiredText.describe('The token of one payer’s payments. The command is about these alone.');

/** Of one payer's payments alone, with the token that charges them (ours; of DESCHEDULE the reference's). */
const chainFields = { ...namingFields, recurring_token: token.optional() };

/** Begins or ends a pause; one that holds already, or holds no more, stays as it is (reference: PAUSE_SCHEDULE, RUN_SCHEDULE). */
const pauseCommand = (action: 'PAUSE_SCHEDULE' | 'PAUSE' | 'RUN_SCHEDULE' | 'RUN', pausesOf: typeof paused): Command =>
  defineCommand({
    action,
    schema: z.object(chainFields),
    answer: scheduleSchema,
    signedBy: signedByName,
    async handle(context, asker, { schedule_id, recurring_token }) {
      const today = await merchantDay(context, asker.scope, asker.merchant);
      return recurring_token === undefined
        ? change(context, asker, action, schedule_id, (schedule) => ({
            ...schedule,
            pauses: pausesOf(schedule.pauses, today),
          }))
        : ofChain(context, asker, action, { schedule_id, recurring_token }, (chain) =>
            context.stores.chains.setPauses(chain, pausesOf(chain.pauses, today)),
          );
    },
  });

/** Ends one payer's payments by a schedule (reference: DESCHEDULE). */
const deschedule = defineCommand({
  action: 'DESCHEDULE',
  schema: z.object({ ...namingFields, recurring_token: token }),
  answer: scheduleSchema,
  signedBy: signedByName,
  handle: (context, asker, fields) =>
    ofChain(context, asker, 'DESCHEDULE', fields, (chain) => context.stores.chains.end(chain)),
});

/** Takes a schedule away, unless payments use it (reference: DELETE_SCHEDULE). */
const deleteSchedule = defineCommand({
  action: 'DELETE_SCHEDULE',
  schema: z.object(namingFields),
  answer: scheduleSchema,
  signedBy: signedByName,
  async handle(context, { scope }, { schedule_id }) {
    const schedule = await namedSchedule(context, scope, schedule_id);
    if (schedule === undefined) return refusedBy('schedule');
    switch (await context.stores.schedules.delete(schedule)) {
      case 'deleted':
        return changed('DELETE_SCHEDULE', scope);
      case 'used':
        return refusedBy('schedule-used');
      case 'gone':
        return refusedBy('schedule');
    }
  },
});

/** Reports the terms of a schedule (reference: SCHEDULE_INFO). */
const scheduleInfo = defineCommand({
  action: 'SCHEDULE_INFO',
  schema: z.object(namingFields),
  answer: scheduleInfoSchema,
  signedBy: signedByName,
  readsOnly: true,
  async handle(context, { scope }, { schedule_id }) {
    const schedule = await namedSchedule(context, scope, schedule_id);
    if (schedule === undefined) return refusedBy('schedule');
    const { retry_days, ...terms } = termsOf(schedule);
    return succeeded('SCHEDULE_INFO', scope, {
      schedule_id: schedule.id,
      ...terms,
      retry_days: retry_days.join(',') || 'none',
      delays: null,
      paused: isPaused(schedule.pauses) ? 'Y' : 'N',
    });
  },
});

/** The commands of schedules. The short names are the protocol's, the long ones the reference's (S2S CARD, Disagreements, 2). */
export const SCHEDULE_COMMANDS: readonly (readonly [action: string, command: Command])[] = [
  ['CREATE_SCHEDULE', createSchedule],
  ['UPDATE_SCHEDULE', updateSchedule],
  ['PAUSE_SCHEDULE', pauseCommand('PAUSE_SCHEDULE', paused)],
  ['PAUSE', pauseCommand('PAUSE', paused)],
  ['RUN_SCHEDULE', pauseCommand('RUN_SCHEDULE', resumed)],
  ['RUN', pauseCommand('RUN', resumed)],
  ['DELETE_SCHEDULE', deleteSchedule],
  ['DESCHEDULE', deschedule],
  ['SCHEDULE_INFO', scheduleInfo],
];

/** How often a change is tried again that another one has overtaken. */
const TRIES = 20;

/** Changes a schedule on the version that was read. @param next the schedule as it is to be, or why it is not changed */
async function change(
  context: CommandDeps,
  { scope }: Asker,
  action: string,
  schedule_id: string,
  next: (schedule: Schedule) => Schedule | Answer<CommandBody<never>>,
): Promise<Answer<CommandBody<z.output<typeof scheduleSchema>>>> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const schedule = await namedSchedule(context, scope, schedule_id);
    if (schedule === undefined) return refusedBy('schedule');
    const version = next(schedule);
    if ('status' in version) return version;
    if (await context.stores.schedules.change(version)) {
      context.wake('schedules');
      context.wake('remainders');
      return changed(action, scope);
    }
  }
  return refusedBy('schedule-busy');
}

/** Changes one payer's payments by a schedule. @param act false where the chain has changed since it was read */
async function ofChain(
  context: CommandDeps,
  { scope }: Asker,
  action: string,
  { schedule_id, recurring_token }: { readonly schedule_id: string; readonly recurring_token: string },
  act: (chain: Chain) => Promise<boolean>,
): Promise<Answer<CommandBody<z.output<typeof scheduleSchema>>>> {
  const schedule = await namedSchedule(context, scope, schedule_id);
  if (schedule === undefined) return refusedBy('schedule');
  for (let tries = 0; tries < TRIES; tries += 1) {
    const chain = await context.stores.chains.findByToken(scope, schedule.id, tokenHash(recurring_token));
    if (chain === undefined) return refusedBy('mandate');
    if (!(await act(chain))) continue;
    context.wake('schedules');
    return changed(action, scope);
  }
  return refusedBy('schedule-busy');
}
