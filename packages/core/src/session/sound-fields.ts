import * as z from 'zod';
import { sessionSchema } from './session-schema.ts';

const { shape } = sessionSchema;

const sound = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined);

const soundSchema = z.object({
  operation: sound(shape.operation),
  order: sound(z.object({ currency: sound(shape.order.shape.currency) })),
  customer: sound(z.object({ birth_date: sound(shape.schedule_start_date) })),
  methods: sound(shape.methods),
  recurring_init: sound(shape.recurring_init),
  recurring_consent_required: sound(shape.recurring_consent_required),
  schedule_start_date: sound(shape.schedule_start_date),
});

/** The fields that rules look at. One that is wrong by itself is left out, because it is reported anyway. */
export type SoundFields = z.output<typeof soundSchema>;

/** The readable fields of a body in which other fields are wrong. */
export function soundFields(body: Record<string, unknown>): SoundFields {
  return soundSchema.parse(body);
}
