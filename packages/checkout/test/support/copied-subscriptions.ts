import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { createSealer, sealedAt } from '../../src/secrets/index.ts';
import { copyPayments } from './copied-payments.ts';

interface Row {
  readonly payment: string;
  readonly session: string;
  readonly number: string;
  readonly request: string;
  readonly token: string;
}

/** Rows that are sealed and written by one statement. */
const TOGETHER = 5000;

/** As `copyPayments` makes ids. */
const copyOf = (id: string, copy: number): string =>
  createHash('md5')
    .update(`${id}${copy}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * Copies all payments that schedules charge after, with all their rows, so many times, each made a day earlier: the next day of a daily schedule is
 * today, and begins for all of them with `beginDay`. What is sealed opens in its own row alone, so request and
 * token of each copy are sealed for it.
 *
 * @param encryptionKey of the service, in Base64
 */
export async function copySubscriptions(client: Client, encryptionKey: string, copies: number): Promise<void> {
  const sealer = createSealer([Buffer.from(encryptionKey, 'base64')]);
  const { rows } = await client.query<Row>(`
    SELECT p.id AS payment, s.id AS session, s.order_number AS number, s.request_text AS request, p.recurring_token AS token
    FROM chains c JOIN payments p ON p.id = c.id JOIN sessions s ON s.id = p.session_id`);
  await copyPayments(client, copies);
  const ids = [rows.map(({ payment }) => payment)];
  await client.query('SET session_replication_role = replica');
  await client.query(
    `UPDATE chains SET began = (began::date - 1)::text, poll_at = now() + interval '1 day' WHERE id <> ALL ($1::uuid[])`,
    ids,
  );
  const originals = rows.map((row) => ({
    ...row,
    request: sealer.open(row.request, sealedAt.request(row.session)),
    token: sealer.open(row.token, sealedAt.recurringToken(row.payment)),
  }));
  for (let from = 0; from < originals.length * copies; from += TOGETHER) {
    const count = Math.min(TOGETHER, originals.length * copies - from);
    const sealed = Array.from({ length: count }, (_, index) => {
      const at = from + index;
      const copy = Math.floor(at / originals.length) + 1;
      const { payment, session, number, request, token } = originals[at % originals.length] ?? raise();
      const [paymentId, sessionId] = [copyOf(payment, copy), copyOf(session, copy)];
      const own = request.replaceAll(JSON.stringify(number), JSON.stringify(`${number}-${copy}`));
      return {
        payment: paymentId,
        session: sessionId,
        request: sealer.seal(own, sealedAt.request(sessionId)),
        token: sealer.seal(token, sealedAt.recurringToken(paymentId)),
      };
    });
    const of = 'json_to_recordset($1::json) AS g (payment uuid, session uuid, request text, token text)';
    const json = [JSON.stringify(sealed)];
    await client.query(`UPDATE sessions s SET request_text = g.request FROM ${of} WHERE s.id = g.session`, json);
    await client.query(`UPDATE payments p SET recurring_token = g.token FROM ${of} WHERE p.id = g.payment`, json);
  }
  await client.query('SET session_replication_role = origin');
  for (const table of ['sessions', 'payments', 'chains']) await client.query(`VACUUM ANALYZE ${table}`);
  await client.query('CHECKPOINT');
}

/** The day begins on which all of them are due that are not yet charged for ever. */
export async function beginDay(client: Client): Promise<void> {
  await client.query(
    `UPDATE chains SET poll_at = now() WHERE poll_at > now() AND began < (now() AT TIME ZONE 'UTC')::date::text`,
  );
}

function raise(): never {
  throw new Error('There is no payment to copy.');
}
