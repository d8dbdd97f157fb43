import { statements } from './statements.ts';

/**
 * The tables of the first release. Later migrations only add to them; each is a file named after what users see of it. `tables.ts` says what the
 * columns hold.
 */
export const first = statements([
  `CREATE TABLE callback_addresses (
    url text NOT NULL,
    failures integer NOT NULL DEFAULT 0,
    timeouts timestamptz[] NOT NULL DEFAULT '{}',
    paused_until timestamptz,
    flushed_at timestamptz,
    merchant_key text NOT NULL,
    PRIMARY KEY (merchant_key, url)
  )`,
  `CREATE TABLE cards (
    id uuid PRIMARY KEY,
    merchant_key text NOT NULL,
    test boolean NOT NULL,
    number_text text,
    holder_text text,
    fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
    first_six text NOT NULL CHECK (first_six ~ '^[0-9]{6}$'),
    last_four text NOT NULL CHECK (last_four ~ '^[0-9]{4}$'),
    brand text NOT NULL,
    brand_chosen_by text CHECK (brand_chosen_by IN ('payer', 'merchant')),
    expiry_month text CHECK (expiry_month ~ '^(0[1-9]|1[0-2])?$'),
    expiry_year text CHECK (expiry_year ~ '^([0-9]{4})?$'),
    from_token boolean NOT NULL,
    created_at timestamptz NOT NULL,
    removed_at timestamptz,
    CHECK ((number_text IS NULL) = (removed_at IS NOT NULL)),
    CHECK ((holder_text IS NULL) = (removed_at IS NOT NULL)),
    CONSTRAINT cards_expire_whole CHECK ((expiry_month IS NULL) = (expiry_year IS NULL))
  )`,
  `CREATE INDEX cards_by_fingerprint ON cards (fingerprint, merchant_key)`,
  `CREATE INDEX cards_to_remove ON cards (created_at) WHERE removed_at IS NULL`,
  `CREATE TABLE clock_moves (
    id uuid PRIMARY KEY,
    merchant_key text NOT NULL,
    by_ms bigint NOT NULL CHECK (by_ms > 0),
    after uuid NOT NULL,
    moved_at timestamptz NOT NULL
  )`,
  `CREATE TABLE configurations (
    version integer PRIMARY KEY CHECK (version > 0),
    public_text text NOT NULL,
    sealed text NOT NULL,
    origin text NOT NULL CHECK (origin IN ('start', 'change')),
    applied_at timestamptz NOT NULL
  )`,
  `CREATE TABLE disabled_callback_addresses (
    merchant_key text NOT NULL,
    url text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (merchant_key, url)
  )`,
  `CREATE TABLE duplicate_windows (
    merchant_key text NOT NULL,
    order_number text NOT NULL,
    armed_at timestamptz NOT NULL,
    PRIMARY KEY (merchant_key, order_number)
  )`,
  `CREATE INDEX duplicate_windows_by_age ON duplicate_windows (armed_at)`,
  `CREATE TABLE findings (
    kind text NOT NULL,
    subject text NOT NULL,
    detail text NOT NULL,
    found_at timestamptz NOT NULL,
    handled_at timestamptz NOT NULL,
    PRIMARY KEY (kind, subject)
  )`,
  `CREATE TABLE former_payments (
    id uuid PRIMARY KEY,
    merchant_reference text NOT NULL,
    UNIQUE (merchant_reference)
  )`,
  `CREATE TABLE idempotency_keys (
    merchant_key text NOT NULL,
    idempotency_key text NOT NULL,
    request_hash text NOT NULL,
    resource_id uuid NOT NULL,
    status integer,
    answer_text text,
    held_until timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (merchant_key, idempotency_key),
    CHECK ((status IS NULL) = (answer_text IS NULL))
  )`,
  `CREATE INDEX idempotency_keys_by_age ON idempotency_keys (expires_at)`,
  `CREATE TABLE legal_modification_transitions (
    from_state text NOT NULL,
    to_state text NOT NULL,
    PRIMARY KEY (from_state, to_state),
    CHECK (from_state <> to_state)
  )`,
  `CREATE TABLE legal_transitions (
    from_state text NOT NULL,
    to_state text NOT NULL,
    PRIMARY KEY (from_state, to_state),
    CHECK (from_state <> to_state)
  )`,
  `CREATE TABLE provider_notifications (
    id uuid PRIMARY KEY,
    connector_id text NOT NULL,
    mid_id text NOT NULL,
    request_text text NOT NULL,
    body bytea NOT NULL,
    state text NOT NULL DEFAULT 'received' CHECK (state IN ('received', 'handled', 'refused', 'failed')),
    tries integer NOT NULL DEFAULT 0,
    next_try_at timestamptz NOT NULL,
    detail text,
    received_at timestamptz NOT NULL,
    handled_at timestamptz
  )`,
  `CREATE INDEX provider_notifications_by_age ON provider_notifications (received_at)`,
  `CREATE INDEX provider_notifications_to_handle ON provider_notifications (next_try_at) WHERE state = 'received'`,
  `CREATE INDEX provider_notifications_unread ON provider_notifications (received_at) WHERE state IN ('refused', 'failed')`,
  `CREATE TABLE reply_drift (
    connector_id text NOT NULL,
    version text NOT NULL,
    endpoint text NOT NULL,
    kind text NOT NULL,
    reply text NOT NULL,
    status integer NOT NULL,
    place text NOT NULL,
    form text NOT NULL,
    seen bigint NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    PRIMARY KEY (connector_id, version, endpoint, kind, reply, status, place, form)
  )`,
  `CREATE TABLE request_ids (
    merchant_key text NOT NULL,
    key_id text NOT NULL,
    request_id text NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (merchant_key, key_id, request_id)
  )`,
  `CREATE INDEX request_ids_by_age ON request_ids (expires_at)`,
  `CREATE TABLE schedules (
    id uuid PRIMARY KEY,
    merchant_key text NOT NULL,
    test boolean NOT NULL,
    history_text text NOT NULL,
    pauses_text text NOT NULL,
    paused boolean NOT NULL,
    version integer NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  )`,
  `CREATE TABLE service_secrets (
    name text PRIMARY KEY,
    sealed text NOT NULL,
    made_at timestamptz NOT NULL
  )`,
  `CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    merchant_key text NOT NULL,
    operation text NOT NULL CHECK (operation IN ('purchase', 'debit', 'credit', 'transfer')),
    order_number text NOT NULL,
    token_hash text NOT NULL UNIQUE CHECK (token_hash ~ '^[0-9a-f]{64}$'),
    request_text text NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'completed', 'expired', 'cancelled')),
    hash_dialect text NOT NULL CHECK (hash_dialect IN ('ascii', 'unicode')),
    hash_digest text NOT NULL CHECK (hash_digest IN ('md5', 'sha256')),
    test boolean NOT NULL,
    live_payment_id uuid,
    attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    closed_at timestamptz,
    erased_at timestamptz,
    payer_presence text NOT NULL CHECK (payer_presence IN ('page', 'fields', 'merchant', 'none')),
    paid_payment_id uuid,
    entry_id uuid,
    entry_text text,
    CHECK ((state = 'open') = (closed_at IS NULL)),
    CHECK ((entry_id IS NULL) = (entry_text IS NULL)),
    CONSTRAINT sessions_ended_without_entry CHECK (entry_id IS NULL OR state = 'open')
  ) WITH (fillfactor=80)`,
  `CREATE INDEX sessions_by_end ON sessions (closed_at) WHERE state <> 'open'`,
  `CREATE INDEX sessions_by_order ON sessions (merchant_key, order_number, created_at DESC)`,
  `CREATE INDEX sessions_of_tests ON sessions (merchant_key, id) WHERE test`,
  `CREATE INDEX sessions_to_expire ON sessions (expires_at) WHERE state = 'open'`,
  `CREATE TABLE test_clocks (
    merchant_key text PRIMARY KEY,
    ahead_ms bigint NOT NULL CHECK (ahead_ms >= 0),
    last_move uuid NOT NULL
  )`,
  `CREATE TABLE payments (
    id uuid PRIMARY KEY,
    session_id uuid REFERENCES sessions (id),
    merchant_key text NOT NULL,
    operation text NOT NULL CHECK (operation IN ('purchase', 'debit', 'credit', 'transfer')),
    order_number text NOT NULL,
    merchant_reference text NOT NULL,
    method text NOT NULL,
    method_alias text NOT NULL,
    connector_id text NOT NULL,
    connector_version text NOT NULL,
    mid_id text NOT NULL,
    attempt integer NOT NULL CHECK (attempt >= 1),
    state text NOT NULL CHECK (state IN ('created', 'pending', 'authorized', 'partially_approved', 'settled', 'declined', 'expired', 'refunded', 'voided', 'reversed', 'charged_back')),
    unknown boolean NOT NULL DEFAULT false,
    amount_text text,
    currency text NOT NULL,
    amount_minor numeric(38,0) CHECK (amount_minor >= 0),
    amount_open boolean NOT NULL,
    payer_ip text,
    authorized_minor numeric(38,0) NOT NULL DEFAULT 0 CHECK (authorized_minor >= 0),
    captured_minor numeric(38,0) NOT NULL DEFAULT 0 CHECK (captured_minor >= 0),
    received_minor numeric(38,0) NOT NULL DEFAULT 0 CHECK (received_minor >= 0),
    received_text text,
    received_currency text,
    decided_by text,
    refunded_minor numeric(38,0) NOT NULL DEFAULT 0 CHECK (refunded_minor >= 0),
    reason text,
    decline_kind text CHECK (decline_kind IN ('soft', 'hard')),
    provider_reference text,
    provider_status text,
    provider_code text,
    provider_message text,
    show_text text,
    connector_state_text text NOT NULL DEFAULT '{}',
    poll_at timestamptz,
    polls integer NOT NULL DEFAULT 0,
    callbacks integer NOT NULL DEFAULT 0,
    version integer NOT NULL CHECK (version >= 1),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    reserved_minor numeric(38,0) NOT NULL DEFAULT 0 CHECK (reserved_minor >= 0),
    modifying text,
    card_id uuid REFERENCES cards (id),
    card_brand text,
    payee_card_id uuid REFERENCES cards (id),
    card_token_hash text,
    mandate_id uuid REFERENCES payments (id),
    retry_of uuid REFERENCES payments (id),
    recurring_token text,
    payer_try integer NOT NULL,
    digital_wallet text CHECK (digital_wallet ~ '^[a-z]+$'),
    pan_type text CHECK (pan_type IN ('dpan', 'fpan')),
    aside_text text,
    hints integer NOT NULL DEFAULT 0,
    hinted_since timestamptz,
    hint_poll_at timestamptz,
    erased_at timestamptz,
    decline_code text,
    agreement_text text NOT NULL DEFAULT '{}',
    facts_text text NOT NULL DEFAULT '{}',
    UNIQUE (merchant_reference),
    UNIQUE (session_id, attempt),
    CHECK (modifying IN ('capture', 'void', 'release')),
    CHECK (amount_open OR (amount_minor IS NOT NULL AND amount_text IS NOT NULL)),
    CHECK ((received_text IS NULL) = (received_currency IS NULL)),
    CHECK (captured_minor <= authorized_minor),
    CHECK (refunded_minor <= received_minor),
    CHECK (payer_try >= 1 AND payer_try <= attempt),
    CHECK (pan_type IS NULL OR digital_wallet IS NOT NULL),
    CHECK (merchant_reference ~ '^[0-9a-z-]{1,36}$'),
    CONSTRAINT payments_refunded_whole CHECK (state <> 'refunded' OR refunded_minor = received_minor),
    CONSTRAINT payments_refunds_fit CHECK ((refunded_minor + reserved_minor) <= received_minor),
    CONSTRAINT payments_retries_are_charges CHECK (retry_of IS NULL OR mandate_id IS NOT NULL),
    CONSTRAINT payments_unknown_is_pending CHECK ((NOT unknown) OR state = 'pending'),
    CONSTRAINT payments_hold_fits CHECK (authorized_minor = 0 OR received_minor <= authorized_minor)
  )`,
  `CREATE INDEX payments_approved_in_part ON payments (updated_at) WHERE state = 'partially_approved'`,
  `CREATE INDEX payments_beside_others ON payments (updated_at) WHERE attempt > 1 AND state IN ('settled', 'authorized')`,
  `CREATE INDEX payments_by_card ON payments (card_id) WHERE card_id IS NOT NULL`,
  `CREATE INDEX payments_by_card_token ON payments (card_token_hash) WHERE card_token_hash IS NOT NULL`,
  `CREATE INDEX payments_by_creation ON payments (created_at, id)`,
  `CREATE INDEX payments_by_order ON payments (merchant_key, order_number, created_at DESC)`,
  `CREATE INDEX payments_by_payee_card ON payments (payee_card_id) WHERE payee_card_id IS NOT NULL`,
  `CREATE INDEX payments_by_retry_of ON payments (retry_of, attempt) WHERE retry_of IS NOT NULL`,
  `CREATE INDEX payments_to_poll_by_mid ON payments (mid_id, poll_at) WHERE poll_at IS NOT NULL`,
  `CREATE INDEX payments_to_poll_late ON payments (mid_id, poll_at) WHERE poll_at IS NOT NULL AND state NOT IN ('created', 'pending', 'partially_approved')`,
  `CREATE INDEX payments_unknown ON payments (id) WHERE unknown AND state IN ('created', 'pending')`,
  `CREATE INDEX payments_with_money_aside ON payments (updated_at) WHERE aside_text IS NOT NULL`,
  `CREATE INDEX payments_without_lookup ON payments (updated_at) WHERE poll_at IS NULL AND state IN ('created', 'pending')`,
  `CREATE TABLE provider_events (
    connector_id text NOT NULL,
    mid_id text NOT NULL,
    event_id text NOT NULL,
    payment_id uuid REFERENCES payments (id),
    notification_id uuid REFERENCES provider_notifications (id) ON DELETE SET NULL,
    kind text NOT NULL,
    provider_reference text NOT NULL,
    amount_text text,
    currency text,
    data_text text NOT NULL,
    state text NOT NULL CHECK (state IN ('applied', 'ignored', 'quarantined', 'unmatched')),
    reason text,
    at timestamptz NOT NULL,
    PRIMARY KEY (connector_id, mid_id, event_id)
  )`,
  `CREATE INDEX provider_events_by_age ON provider_events (at) WHERE data_text <> '{}'`,
  `CREATE INDEX provider_events_by_notification ON provider_events (notification_id)`,
  `CREATE INDEX provider_events_by_payment ON provider_events (payment_id)`,
  `CREATE INDEX provider_events_to_look_at ON provider_events (state, at) WHERE state IN ('quarantined', 'unmatched')`,
  `CREATE TABLE schedule_wakes (
    schedule_id uuid PRIMARY KEY REFERENCES schedules (id) ON DELETE CASCADE,
    after uuid NOT NULL
  )`,
  `CREATE TABLE wallet_tokens (
    token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
    payment_id uuid NOT NULL REFERENCES payments (id),
    used_at timestamptz NOT NULL
  )`,
  `CREATE TABLE callbacks (
    id text PRIMARY KEY,
    payment_id uuid NOT NULL REFERENCES payments (id),
    merchant_key text NOT NULL,
    seq integer NOT NULL,
    url text NOT NULL,
    content_type text NOT NULL,
    body text NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
    attempts integer NOT NULL DEFAULT 0,
    next_try_at timestamptz NOT NULL,
    last_status integer,
    last_error text,
    created_at timestamptz NOT NULL,
    delivered_at timestamptz,
    tries integer NOT NULL DEFAULT 0,
    claimed_until timestamptz,
    own_url boolean NOT NULL DEFAULT false,
    test boolean NOT NULL DEFAULT false,
    UNIQUE (payment_id, seq),
    CHECK ((state = 'delivered') = (delivered_at IS NOT NULL))
  )`,
  `CREATE INDEX callbacks_by_creation ON callbacks (created_at, id)`,
  `CREATE INDEX callbacks_dead ON callbacks (created_at, id) WHERE state = 'dead'`,
  `CREATE INDEX callbacks_due ON callbacks (next_try_at) WHERE state = 'waiting'`,
  `CREATE INDEX callbacks_waiting_by_address ON callbacks (url, merchant_key, next_try_at, seq) WHERE state = 'waiting'`,
  `CREATE INDEX callbacks_waiting_by_payment ON callbacks (payment_id, seq) WHERE state = 'waiting'`,
  `CREATE TABLE card_tokens (
    token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
    card_id uuid NOT NULL REFERENCES cards (id),
    merchant_key text NOT NULL,
    test boolean NOT NULL,
    token_text text NOT NULL,
    made_by uuid NOT NULL REFERENCES payments (id),
    created_at timestamptz NOT NULL,
    holder_fingerprint text CHECK (holder_fingerprint ~ '^[0-9a-f]{64}$')
  )`,
  `CREATE INDEX card_tokens_by_card ON card_tokens (card_id)`,
  `CREATE TABLE chains (
    id uuid PRIMARY KEY REFERENCES payments (id),
    schedule_id uuid NOT NULL REFERENCES schedules (id),
    merchant_key text NOT NULL,
    test boolean NOT NULL,
    mid_id text NOT NULL,
    token_hash text NOT NULL,
    began text NOT NULL,
    start_date text,
    paused_after text,
    pauses_text text NOT NULL DEFAULT '[]',
    ended_at timestamptz,
    poll_at timestamptz,
    polls integer NOT NULL DEFAULT 0,
    wakes integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL
  )`,
  `CREATE INDEX chains_by_schedule ON chains (schedule_id, id)`,
  `CREATE INDEX chains_by_token ON chains (token_hash)`,
  `CREATE INDEX chains_to_poll_by_mid ON chains (mid_id, poll_at) WHERE poll_at IS NOT NULL`,
  `CREATE TABLE due_days (
    mandate_id uuid NOT NULL REFERENCES chains (id),
    day text NOT NULL,
    state text NOT NULL CHECK (state IN ('begun', 'settled', 'declined_soft', 'declined_hard', 'paused', 'missed', 'refused')),
    charge_id uuid UNIQUE,
    first_tried text,
    last_tried text,
    at timestamptz NOT NULL,
    PRIMARY KEY (mandate_id, day),
    CHECK ((charge_id IS NULL) = (state IN ('paused', 'missed', 'refused') AND first_tried IS NULL))
  )`,
  `CREATE TABLE flow_runs (
    run_id uuid PRIMARY KEY,
    payment_id uuid NOT NULL REFERENCES payments (id),
    purpose text NOT NULL,
    connector_id text NOT NULL,
    connector_version text NOT NULL,
    state text NOT NULL CHECK (state IN ('running', 'suspended', 'finished')),
    started_at timestamptz NOT NULL,
    input_text text NOT NULL,
    lease_owner text,
    lease_epoch integer NOT NULL DEFAULT 0,
    lease_until timestamptz,
    tries integer NOT NULL DEFAULT 0,
    suspended_step text,
    suspended_text text,
    outcome_text text,
    finished_at timestamptz,
    beats integer NOT NULL DEFAULT 0,
    begun_steps integer NOT NULL DEFAULT 0,
    CHECK ((state = 'running') = (lease_until IS NOT NULL)),
    CHECK ((state = 'suspended') = (suspended_step IS NOT NULL)),
    CHECK ((state = 'finished') = (finished_at IS NOT NULL))
  ) WITH (fillfactor=80)`,
  `CREATE INDEX flow_runs_by_end ON flow_runs (finished_at) WHERE state = 'finished'`,
  `CREATE INDEX flow_runs_by_payment ON flow_runs (payment_id)`,
  `CREATE INDEX flow_runs_free ON flow_runs (lease_until) WHERE state = 'running' AND lease_owner IS NULL`,
  `CREATE UNIQUE INDEX flow_runs_one_operation ON flow_runs (payment_id) WHERE purpose IN ('purchase', 'debit', 'credit', 'transfer')`,
  `CREATE UNIQUE INDEX flow_runs_one_follow_up ON flow_runs (payment_id) WHERE purpose IN ('renew', 'withdraw') AND state <> 'finished'`,
  `CREATE INDEX flow_runs_to_resume ON flow_runs (lease_until) WHERE state = 'running'`,
  `CREATE TABLE journal (
    run_id uuid NOT NULL REFERENCES flow_runs (run_id),
    step text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('call', 'collect', 'visit')),
    state text NOT NULL CHECK (state IN ('begun', 'done', 'not-sent')),
    sends integer NOT NULL CHECK (sends >= 1),
    reply_text text,
    begun_at timestamptz NOT NULL,
    done_at timestamptz,
    position integer NOT NULL,
    PRIMARY KEY (run_id, step),
    CONSTRAINT journal_positions UNIQUE (run_id, position),
    CHECK ((state = 'done') = (reply_text IS NOT NULL AND done_at IS NOT NULL))
  ) WITH (fillfactor=80)`,
  `CREATE TABLE modifications (
    id uuid PRIMARY KEY,
    payment_id uuid NOT NULL REFERENCES payments (id),
    kind text NOT NULL,
    amount_text text NOT NULL,
    amount_minor numeric(38,0) NOT NULL,
    currency text NOT NULL,
    state text NOT NULL,
    provider_reference text,
    provider_status text,
    provider_code text,
    provider_message text,
    reason text,
    poll_at timestamptz,
    polls integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    facts_text text NOT NULL DEFAULT '{}',
    mid_id text NOT NULL,
    CHECK (amount_minor >= 0),
    CHECK (kind IN ('capture', 'void', 'release', 'refund')),
    CHECK (state IN ('requested', 'pending', 'unknown', 'succeeded', 'failed'))
  )`,
  `CREATE INDEX modifications_by_payment ON modifications (payment_id, created_at)`,
  `CREATE UNIQUE INDEX modifications_one_capture ON modifications (payment_id) WHERE kind = 'capture' AND state <> 'failed'`,
  `CREATE UNIQUE INDEX modifications_one_exclusive ON modifications (payment_id) WHERE kind <> 'refund' AND state IN ('requested', 'pending', 'unknown')`,
  `CREATE INDEX modifications_to_poll_by_mid ON modifications (mid_id, poll_at) WHERE poll_at IS NOT NULL`,
  `CREATE INDEX modifications_unknown ON modifications (id) WHERE state = 'unknown'`,
  `CREATE INDEX modifications_without_lookup ON modifications (updated_at) WHERE poll_at IS NULL AND state IN ('requested', 'pending', 'unknown')`,
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
  `CREATE TABLE payment_references (
    connector_id text NOT NULL,
    mid_id text NOT NULL,
    provider_reference text NOT NULL,
    payment_id uuid NOT NULL REFERENCES payments (id),
    watched boolean NOT NULL,
    created_at timestamptz NOT NULL,
    payable_until timestamptz,
    UNIQUE (connector_id, mid_id, provider_reference, payment_id),
    PRIMARY KEY (connector_id, mid_id, provider_reference)
  )`,
  `CREATE INDEX payment_references_by_payment ON payment_references (payment_id)`,
  `CREATE TABLE callback_attempts (
    callback_id text NOT NULL REFERENCES callbacks (id),
    attempt integer NOT NULL,
    status integer,
    error text,
    duration_ms integer NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (callback_id, attempt)
  )`,
  `CREATE INDEX callback_attempts_by_age ON callback_attempts (at)`,
  `ALTER TABLE payments ADD FOREIGN KEY (card_token_hash) REFERENCES card_tokens (token_hash) ON DELETE SET NULL`,
  `INSERT INTO legal_transitions (from_state, to_state) VALUES
    ('authorized', 'reversed'), ('authorized', 'settled'),
    ('charged_back', 'refunded'), ('charged_back', 'settled'),
    ('created', 'authorized'), ('created', 'declined'), ('created', 'expired'), ('created', 'partially_approved'), ('created', 'pending'), ('created', 'settled'),
    ('declined', 'authorized'), ('declined', 'partially_approved'), ('declined', 'pending'), ('declined', 'settled'),
    ('expired', 'authorized'), ('expired', 'partially_approved'), ('expired', 'pending'), ('expired', 'settled'),
    ('none', 'created'),
    ('partially_approved', 'authorized'), ('partially_approved', 'declined'), ('partially_approved', 'settled'),
    ('pending', 'authorized'), ('pending', 'declined'), ('pending', 'expired'), ('pending', 'partially_approved'), ('pending', 'settled'),
    ('refunded', 'settled'),
    ('reversed', 'authorized'),
    ('settled', 'authorized'), ('settled', 'charged_back'), ('settled', 'refunded'), ('settled', 'reversed'), ('settled', 'voided'),
    ('voided', 'settled')`,
  `INSERT INTO legal_modification_transitions (from_state, to_state) VALUES
    ('none', 'requested'), ('none', 'succeeded'),
    ('pending', 'failed'), ('pending', 'succeeded'), ('pending', 'unknown'),
    ('requested', 'failed'), ('requested', 'pending'), ('requested', 'succeeded'), ('requested', 'unknown'),
    ('succeeded', 'failed'),
    ('unknown', 'failed'), ('unknown', 'pending'), ('unknown', 'succeeded')`,
  `CREATE FUNCTION guard_modification() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      before text := CASE TG_OP WHEN 'INSERT' THEN 'none' ELSE OLD.state END;
    BEGIN
      IF before <> NEW.state AND NOT EXISTS (SELECT FROM legal_modification_transitions WHERE from_state = before AND to_state = NEW.state) THEN
        RAISE EXCEPTION 'a modification does not become % after %', NEW.state, before USING ERRCODE = 'restrict_violation';
      END IF;
      IF TG_OP = 'UPDATE' AND (NEW.id, NEW.payment_id, NEW.kind, NEW.amount_minor, NEW.amount_text, NEW.currency)
        IS DISTINCT FROM (OLD.id, OLD.payment_id, OLD.kind, OLD.amount_minor, OLD.amount_text, OLD.currency) THEN
        RAISE EXCEPTION 'what a modification was begun with does not change' USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE FUNCTION guard_payment() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      before text := CASE TG_OP WHEN 'INSERT' THEN 'none' ELSE OLD.state END;
    BEGIN
      IF before <> NEW.state AND NOT EXISTS (SELECT FROM legal_transitions WHERE from_state = before AND to_state = NEW.state) THEN
        RAISE EXCEPTION 'a payment does not become % after %', NEW.state, before USING ERRCODE = 'restrict_violation';
      END IF;
      IF TG_OP = 'INSERT' THEN
        IF NEW.version <> 1 THEN
          RAISE EXCEPTION 'a payment begins with version 1' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
      END IF;
      IF NEW.version <> OLD.version + 1 AND (NEW.version <> OLD.version
        OR (NEW.state, NEW.unknown, NEW.authorized_minor, NEW.captured_minor, NEW.received_minor, NEW.refunded_minor, NEW.reserved_minor,
            NEW.modifying, NEW.decided_by)
          IS DISTINCT FROM (OLD.state, OLD.unknown, OLD.authorized_minor, OLD.captured_minor, OLD.received_minor, OLD.refunded_minor,
            OLD.reserved_minor, OLD.modifying, OLD.decided_by)) THEN
        RAISE EXCEPTION 'a change of a payment makes its version one more' USING ERRCODE = 'restrict_violation';
      END IF;
      IF (NEW.id, NEW.merchant_key, NEW.operation, NEW.order_number, NEW.merchant_reference, NEW.currency, NEW.amount_minor, NEW.amount_text, NEW.amount_open)
        IS DISTINCT FROM (OLD.id, OLD.merchant_key, OLD.operation, OLD.order_number, OLD.merchant_reference, OLD.currency, OLD.amount_minor,
          OLD.amount_text, OLD.amount_open) THEN
        RAISE EXCEPTION 'what a payment was begun with does not change' USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE FUNCTION keep_payment_id() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO former_payments (id, merchant_reference) VALUES (OLD.id, OLD.merchant_reference) ON CONFLICT DO NOTHING;
      RETURN OLD;
    END $$`,
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% of % is refused: its rows are only ever added', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$`,
  `CREATE TRIGGER modifications_move_by_the_table BEFORE INSERT OR UPDATE ON modifications FOR EACH ROW EXECUTE FUNCTION guard_modification()`,
  `CREATE TRIGGER payment_events_are_only_added BEFORE DELETE OR UPDATE OR TRUNCATE ON payment_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  `CREATE TRIGGER payment_ids_are_kept AFTER DELETE ON payments FOR EACH ROW EXECUTE FUNCTION keep_payment_id()`,
  `CREATE TRIGGER payments_move_by_the_table BEFORE INSERT OR UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION guard_payment()`,
]);
