import * as z from 'zod';

const accepts = (schema: z.ZodType) => (value: string) => schema.safeParse(value).success;

/** The formats of OpenAPI that say something about a text; others are names and are not checked. */
export const FORMATS: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': accepts(z.iso.datetime({ offset: true })),
  date: accepts(z.iso.date()),
  uuid: accepts(z.guid()),
  email: accepts(z.email()),
  uri: accepts(z.url()),
  url: accepts(z.url()),
  ipv4: accepts(z.ipv4()),
  ipv6: accepts(z.ipv6()),
};
