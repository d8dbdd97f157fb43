import { sql } from 'kysely';
import { type Db, fromJsonText, toJsonText } from '../storage/index.ts';
import { sealedAt } from './sealer.ts';
import { isSealed, type SealedPlace, type Sealer } from './sealer.ts';

const BATCH = 500;

interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The primary key: columns and their types. */
  readonly key: readonly { readonly name: string; readonly type: 'uuid' | 'text' | 'integer' }[];
  readonly place: (first: string, second: string) => SealedPlace;
  /** How the sealed text stands in the column: as it is, as a JSON string, or as bytes. */
  readonly form: 'text' | 'string' | 'bytes';
}

const byId = [{ name: 'id', type: 'uuid' }] as const;
const byRun = [{ name: 'run_id', type: 'uuid' }] as const;

/** Every sealed column. A test compares it with what `sealedAt` names. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'service_secrets',
    column: 'sealed',
    key: [{ name: 'name', type: 'text' }],
    place: sealedAt.serviceSecret,
    form: 'text',
  },
  {
    table: 'configurations',
    column: 'sealed',
    key: [{ name: 'version', type: 'integer' }],
    place: sealedAt.configuration,
    form: 'text',
  },
  { table: 'sessions', column: 'request_text', key: byId, place: sealedAt.request, form: 'text' },
  { table: 'flow_runs', column: 'input_text', key: byRun, place: sealedAt.runInput, form: 'string' },
  { table: 'flow_runs', column: 'suspended_text', key: byRun, place: sealedAt.runAsks, form: 'string' },
  {
    table: 'journal',
    column: 'reply_text',
    key: [...byRun, { name: 'step', type: 'text' }],
    place: sealedAt.reply,
    form: 'string',
  },
  {
    table: 'provider_notifications',
    column: 'request_text',
    key: byId,
    place: sealedAt.notificationRequest,
    form: 'text',
  },
  { table: 'provider_notifications', column: 'body', key: byId, place: sealedAt.notificationBody, form: 'bytes' },
  {
    table: 'callbacks',
    column: 'body',
    key: [{ name: 'id', type: 'text' }],
    place: sealedAt.callbackBody,
    form: 'text',
  },
  {
    table: 'idempotency_keys',
    column: 'answer_text',
    key: [
      { name: 'merchant_key', type: 'text' },
      { name: 'idempotency_key', type: 'text' },
    ],
    place: sealedAt.idempotencyAnswer,
    form: 'text',
  },
  { table: 'payments', column: 'recurring_token', key: byId, place: sealedAt.recurringToken, form: 'text' },
  { table: 'sessions', column: 'entry_text', key: byId, place: sealedAt.enteredCard, form: 'text' },
  { table: 'cards', column: 'number_text', key: byId, place: sealedAt.cardNumber, form: 'text' },
  { table: 'cards', column: 'holder_text', key: byId, place: sealedAt.cardHolder, form: 'text' },
  {
    table: 'card_tokens',
    column: 'token_text',
    key: [{ name: 'token_hash', type: 'text' }],
    place: sealedAt.cardToken,
    form: 'text',
  },
];

interface Row {
  readonly first: string;
  readonly second: string;
  readonly stored: string;
}

/**
 * Seals everything again that is not sealed with the newest key, in batches, beside running services. It can be stopped and started
 * again at any time; afterwards the older keys are not needed any more, if `countOfOlder` finds none.
 *
 * @returns how many texts were sealed again
 * @throws UnknownKeyError when a key is missing that something was sealed with
 */
export async function rotateKeys(db: Db, sealer: Sealer): Promise<number> {
  let changed = 0;
  for (const column of SEALED_COLUMNS) {
    let after: Row | undefined;
    do {
      const rows: readonly Row[] = await nextRows(db, column, after);
      const old = rows.filter((row) => !isNewest(sealer, column, row));
      if (old.length > 0)
        changed += await replace(
          db,
          column,
          old.map((row) => ({ ...row, renewed: renewed(sealer, column, row) })),
        );
      after = rows.length < BATCH ? undefined : rows.at(-1);
    } while (after !== undefined);
  }
  return changed;
}

/** How many texts are not sealed with the newest key: another process that still has the older one may write meanwhile. */
export async function countOfOlder(db: Db, sealer: Sealer): Promise<number> {
  let older = 0;
  for (const column of SEALED_COLUMNS) {
    let after: Row | undefined;
    do {
      const rows: readonly Row[] = await nextRows(db, column, after);
      older += rows.filter((row) => !isNewest(sealer, column, row)).length;
      after = rows.length < BATCH ? undefined : rows.at(-1);
    } while (after !== undefined);
  }
  return older;
}

const isNewest = ({ keyId }: Sealer, column: SealedColumn, { stored }: Row): boolean =>
  sealedText(column, stored).startsWith(`v1.${keyId}.`);

async function nextRows(db: Db, { table, column, key, form }: SealedColumn, after: Row | undefined): Promise<Row[]> {
  const at = sql.join(key.map(({ name }) => sql.ref(name)));
  const value = form === 'bytes' ? sql`encode(${sql.ref(column)}, 'hex')` : sql.ref(column);
  const [first, second] = key;
  const left = [after?.first, after?.second];
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(${at}) > (${sql.join(key.map(({ type }, index) => sql`${left[index]}::${sql.raw(type)}`))})`;
  const rows = await sql<Row>`
      SELECT ${sql.ref(first?.name ?? '')}::text AS first, ${second === undefined ? sql`''` : sql.ref(second.name)}::text AS second,
        ${value} AS stored
      FROM ${sql.table(table)} WHERE ${sql.ref(column)} IS NOT NULL AND ${beyond} ORDER BY ${at} LIMIT ${BATCH}::integer`.execute(
    db,
  );
  return rows.rows;
}

/** The sealed text of a stored value; of one from before values were sealed, the value as it was. */
function sealedText({ form }: SealedColumn, stored: string): string {
  if (form === 'text') return stored;
  if (form === 'bytes') return Buffer.from(stored, 'hex').toString('latin1');
  const value = fromJsonText(stored);
  return typeof value === 'string' && isSealed(value) ? value : stored;
}

function renewed(sealer: Sealer, column: SealedColumn, row: Row): string {
  const place = column.place(row.first, row.second);
  const text = sealedText(column, row.stored);
  const bytes = isSealed(text)
    ? sealer.openBytes(text, place)
    : Buffer.from(text, column.form === 'bytes' ? 'latin1' : 'utf8');
  const sealed = sealer.seal(bytes, place);
  if (column.form === 'string') return toJsonText(sealed);
  if (column.form === 'bytes') return Buffer.from(sealed, 'latin1').toString('hex');
  return sealed;
}

/** One statement a batch. Values that another process changed meanwhile are skipped: it sealed them with the newest key. */
async function replace(
  db: Db,
  { table, column, key, form }: SealedColumn,
  rows: readonly (Row & { readonly renewed: string })[],
): Promise<number> {
  const names = ['first', 'second'];
  const same = sql.join(
    key.map(({ name, type }, index) => sql`t.${sql.ref(name)} = x.${sql.ref(names[index] ?? '')}::${sql.raw(type)}`),
    sql` AND `,
  );
  const bytes = form === 'bytes';
  const is = bytes ? sql`encode(t.${sql.ref(column)}, 'hex')` : sql`t.${sql.ref(column)}`;
  const becomes = bytes ? sql`decode(x.renewed, 'hex')` : sql`x.renewed`;
  const done = await sql`
      UPDATE ${sql.table(table)} t SET ${sql.ref(column)} = ${becomes}
      FROM json_to_recordset(${toJsonText(rows)}::json) AS x (first text, second text, stored text, renewed text)
      WHERE ${same} AND ${is} = x.stored`.execute(db);
  return Number(done.numAffectedRows ?? 0n);
}
