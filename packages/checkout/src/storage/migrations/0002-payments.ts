import { statements } from './statements.ts';

export const payments = statements([
  // One attempt to move money. Sums are whole minor units; numeric, because some currencies outgrow 64 bits.
  `CREATE TABLE payments (
    id uuid PRIMARY KEY,
    -- NULL where a payment was not started on a page.
    session_id uuid REFERENCES sessions (id),
    merchant_key text NOT NULL,
    operation text NOT NULL CHECK (operation IN ('purchase', 'debit', 'credit', 'transfer')),
    order_number text NOT NULL,
    -- Ours, given to the provider with the first call; the same on every repeat.
    reference text NOT NULL UNIQUE CHECK (reference ~ '^[0-9a-z-]{1,36}$'),
    method text NOT NULL,
    method_alias text NOT NULL,
    connector_id text NOT NULL,
    connector_version text NOT NULL,
    mid_id text NOT NULL,
    attempt integer NOT NULL CHECK (attempt >= 1),
    state text NOT NULL CHECK (state IN ('created', 'pending', 'authorized', 'settled', 'declined', 'expired', 'refunded', 'voided',
      'reversed', 'charged_back')),
    -- It is not known whether the provider moved money: shown as pending, never as failure, and looked up.
    unknown boolean NOT NULL DEFAULT false,
    -- The merchant's own bytes, echoed in callbacks. NULL where the request had no amount.
    amount_text text,
    currency text NOT NULL,
    amount_minor numeric(38, 0) CHECK (amount_minor >= 0),
    amount_open boolean NOT NULL,
    -- Where the payer's browser came from; told to the merchant.
    payer_ip text,
    authorized_minor numeric(38, 0) NOT NULL DEFAULT 0 CHECK (authorized_minor >= 0),
    captured_minor numeric(38, 0) NOT NULL DEFAULT 0 CHECK (captured_minor >= 0),
    -- The amount received; several deposits add up. The payer may have chosen amount and currency.
    received_minor numeric(38, 0) NOT NULL DEFAULT 0 CHECK (received_minor >= 0),
    received_text text,
    received_currency text,
    -- The provider's reference that settled or declined the payment.
    decided_by text,
    refunded_minor numeric(38, 0) NOT NULL DEFAULT 0 CHECK (refunded_minor >= 0),
    reason text,
    decline_kind text CHECK (decline_kind IN ('soft', 'hard')),
    provider_reference text,
    provider_status text,
    provider_code text,
    provider_message text,
    -- JSON: what the payer is shown while the payment is pending, and what a later action needs again.
    show_text text,
    kept_text text NOT NULL DEFAULT '{}',
    -- When the provider is asked next; NULL: not by itself.
    poll_at timestamptz,
    polls integer NOT NULL DEFAULT 0,
    callbacks integer NOT NULL DEFAULT 0,
    -- Counts the changes: a process that changes a payment names the version it read.
    version integer NOT NULL CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE (session_id, attempt),
    CHECK (amount_open OR (amount_minor IS NOT NULL AND amount_text IS NOT NULL)),
    CHECK ((received_text IS NULL) = (received_currency IS NULL)),
    CHECK (captured_minor <= authorized_minor),
    CHECK (refunded_minor <= received_minor)
  )`,
  `CREATE INDEX payments_by_order ON payments (merchant_key, order_number, created_at DESC)`,
  `CREATE INDEX payments_to_poll ON payments (poll_at) WHERE poll_at IS NOT NULL`,
  // The provider's references of a payment. Several, because a renewed code leaves the old one payable; a reference never moves to another payment.
  `CREATE TABLE payment_references (
    connector_id text NOT NULL,
    mid_id text NOT NULL,
    reference text NOT NULL,
    payment_id uuid NOT NULL REFERENCES payments (id),
    watched boolean NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (connector_id, mid_id, reference),
    -- The target of ON CONFLICT: the same payment may name its reference again, another payment gets an error.
    UNIQUE (connector_id, mid_id, reference, payment_id)
  )`,
  `CREATE INDEX payment_references_by_payment ON payment_references (payment_id)`,
  // The history of a payment, one row per version. The state of a payment can be rebuilt from it, so nothing may change it.
  `CREATE TABLE payment_events (
    payment_id uuid NOT NULL REFERENCES payments (id),
    version integer NOT NULL,
    kind text NOT NULL,
    from_state text,
    to_state text NOT NULL,
    data_text text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (payment_id, version)
  )`,
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% of % is refused: its rows are only ever added', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$`,
  `CREATE TRIGGER payment_events_are_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
]);
