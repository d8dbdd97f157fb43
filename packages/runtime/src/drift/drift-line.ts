import * as z from 'zod';
import { isDriftPlace } from './protocol-name.ts';
import { DRIFT_KINDS, type DriftCount } from './sighting.ts';

/** The event of a line of the log. */
const EVENT = 'reply-drift';

const place = z.string().refine(isDriftPlace);
const name = z.string().regex(/^[\w.:{}-]{0,128}$/);
const time = z.iso.datetime().transform((text) => Date.parse(text));

const lineSchema = z.object({
  event: z.literal(EVENT),
  connector: name,
  release: name,
  endpoint: name,
  kind: z.enum(DRIFT_KINDS),
  variant: name,
  status: z.int().nonnegative(),
  place,
  form: place,
  rows: z.int().positive(),
  since: time,
  until: time,
});

/** A count as a line of the log has it: how often since the line before it of the same sighting. */
export function driftLine(count: DriftCount): z.input<typeof lineSchema> {
  const { connector, version, endpoint, kind, reply, status, seen, firstSeen, lastSeen } = count;
  return {
    event: EVENT,
    connector,
    release: version,
    endpoint,
    kind,
    variant: reply,
    status,
    place: count.place,
    form: count.form,
    rows: seen,
    since: new Date(firstSeen).toISOString(),
    until: new Date(lastSeen).toISOString(),
  };
}

/** The count of a line; nothing where it is a line about something else, or no name stands where one is expected. */
export function readDriftLine(line: unknown): DriftCount | undefined {
  const read = lineSchema.safeParse(line);
  if (!read.success) return undefined;
  const { event: _event, release: version, variant: reply, rows: seen, since, until, ...rest } = read.data;
  return { ...rest, version, reply, seen, firstSeen: since, lastSeen: until };
}
