<?php

declare(strict_types=1);

namespace Railyard;

/**
 * A client for one merchant of a checkout. Calls return the protocol's own answers. Everything else is thrown as a
 * `RailyardError`: `InvalidRequestError`, `RefusedError`, `BusyError` or `UnknownOutcomeError`.
 *
 * Amounts are strings, sent and signed byte for byte. With `idempotencyKey` a repeat of the same request gets the first answer
 * again, for 24 hours. `timeoutMs` of a call replaces the client's.
 *
 * @phpstan-type Order array{number: string, amount?: string, currency: string, description: string}
 * @phpstan-type Issue array{path: string, message: string, code: int, hint?: string}
 * @phpstan-type Session array{operation: string, order: Order, success_url: string, methods?: list<string>, cancel_url?: string, expiry_url?: string, error_url?: string, auth?: bool, recurring_init?: bool, customer?: array<string, string>, billing_address?: array<string, string>, parameters?: array<string, array<string, mixed>>, custom_data?: array<string, mixed>, ...}
 * @phpstan-type OnPayment array{payment_id: string}
 * @phpstan-type AmountOnPayment array{payment_id: string, amount: string}
 * @phpstan-type RecurringCharge array{recurring_init_trans_id: string, recurring_token: string, order: array{number: string, amount: string, description: string}, customer?: array<string, string>, custom_data?: array<string, mixed>}
 * @phpstan-type CardCredit array{order_id: string, order_amount: string, order_currency: string, order_description: string, card_number?: string, card_token?: string, payee_first_name?: string, payee_last_name?: string, payee_email?: string, payee_ip?: string, channel_id?: string, custom_data?: array<string, mixed>}
 * @phpstan-type PaymentStatus array{payment_id: string, date: string, status: string, order: Order, reason?: string, captured_amount?: string, refunded_amount?: string, recurring_init_trans_id?: string, recurring_token?: string, ...}
 * @phpstan-type Accepted array{payment_id: string, result: 'accepted'}
 * @phpstan-type Voided array{status: 'SUCCESS'|'FAIL'|'WAITING'|'UNDEFINED', payment_status: string, payment_id: string, date: string, order: Order, reason?: string}
 * @phpstan-type CallbackFields array{id: string, order_number: string, order_amount: string, order_currency: string, order_description: string, order_status: string, type: string, status: string, hash: string, ...}
 */
final class Client
{
    private readonly string $baseUrl;

    /** @var list<string> */
    private readonly array $callbackSecrets;

    /** @var \Closure(string, array<string, string>, string, int): array{status: int, headers: array<string, string|list<string>>, body: string} */
    private readonly \Closure $send;

    /**
     * @param string $baseUrl where the checkout is: `https://pay.example.com`
     * @param string|null $password the merchant password. It signs and is never sent. Not needed beside a `requestKey`, which signs more
     * @param array{id: string, secret: string}|null $requestKey the key that signs each request in its headers: payouts need it
     * @param string $digest the digest agreed with the checkout. Default: `md5`
     * @param string|list<string> $callbackSecret `whsec_…`, for `verifyCallback`; both while it is being replaced
     * @param int $timeoutMs how many milliseconds a call waits for its answer. The streams of PHP begin anew when they are
     *     connected and with each part of the headers; the body has to be there in time. Default: 60 000
     * @param (callable(string, array<string, string>, string, int): array{status: int, headers: array<string, string|list<string>>, body: string})|null $send
     *     sends a POST, given address, headers, body and milliseconds, and throws where no answer came. Give headers and body
     *     `#[\SensitiveParameter]`: PHP puts arguments into traces. Names of headers may have any case. Default: the streams of PHP
     */
    public function __construct(
        string $baseUrl,
        private readonly string $merchantKey,
        #[\SensitiveParameter] private readonly ?string $password = null,
        #[\SensitiveParameter] private readonly ?array $requestKey = null,
        private readonly string $digest = 'md5',
        #[\SensitiveParameter] string|array $callbackSecret = [],
        private readonly int $timeoutMs = 60_000,
        ?callable $send = null,
    ) {
        $url = parse_url($baseUrl);
        $isPlain = is_array($url) && isset($url['host']) && in_array($url['scheme'] ?? '', ['http', 'https'], true)
            && array_intersect_key($url, array_flip(['user', 'pass', 'query', 'fragment'])) === [];
        if (!$isPlain) {
            throw new \InvalidArgumentException('baseUrl: expected an address such as https://pay.example.com.');
        }
        if ($merchantKey === '') {
            throw new \InvalidArgumentException('merchantKey: expected the key that the checkout gave you.');
        }
        if ($password === '' || ($password === null && $requestKey === null)) {
            throw new \InvalidArgumentException('password: expected the password that the checkout gave you, or a requestKey.');
        }
        if (!in_array($digest, ['md5', 'sha256'], true)) {
            throw new \InvalidArgumentException('digest: expected md5 or sha256.');
        }
        if ($requestKey !== null && preg_match('/\A[!-~]+\z/', $requestKey['id']) !== 1) {
            throw new \InvalidArgumentException('requestKey: expected the id that the checkout gave you.');
        }
        $this->callbackSecrets = array_values((array) $callbackSecret);
        // Found out here, and not by the first callback or request.
        foreach ([...$this->callbackSecrets, ...($requestKey === null ? [] : [$requestKey['secret']])] as $secret) {
            Signatures::hmac($secret, '');
        }
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->send = $send === null ? Http::post(...) : $send(...);
        if ($send === null && !filter_var(ini_get('allow_url_fopen'), FILTER_VALIDATE_BOOL)) {
            throw new \LogicException('allow_url_fopen is off. Switch it on in php.ini, or give the client a "send".');
        }
        self::checkedTimeout($timeoutMs);
    }

    /**
     * Creates a session; send the payer to its `redirect_url`.
     *
     * @param Session $session
     * @return array{redirect_url: string, warnings: list<Issue>}
     */
    public function createSession(#[\SensitiveParameter] array $session, ?string $idempotencyKey = null, ?int $timeoutMs = null): array
    {
        $order = self::orderOf($session);
        $body = ['hash' => $this->hash(Signatures::forOrder('session', $order), $order)] + $session;
        $answer = $this->ask('/session', $body, ['redirect_url'], $idempotencyKey, $timeoutMs);
        $warnings = array_map(self::issueOf(...), array_values((array) ($answer['warnings'] ?? [])));
        return ['redirect_url' => $answer['redirect_url'], 'warnings' => $warnings];
    }

    /**
     * The status of a payment.
     *
     * @param OnPayment $payment
     * @return PaymentStatus
     */
    public function status(#[\SensitiveParameter] array $payment, ?int $timeoutMs = null): array
    {
        return $this->signed('/payment/status', 'status_by_payment', $payment, self::STATUS, null, $timeoutMs);
    }

    /**
     * The status of the newest payment of an order.
     *
     * @param array{order_id: string} $order
     * @return PaymentStatus
     */
    public function orderStatus(#[\SensitiveParameter] array $order, ?int $timeoutMs = null): array
    {
        return $this->signed('/payment/status', 'status_by_order', $order, self::STATUS, null, $timeoutMs);
    }

    /**
     * Takes money that is held, whole or in part. A callback reports the outcome.
     *
     * @param AmountOnPayment $payment
     * @return Accepted
     */
    public function capture(#[\SensitiveParameter] array $payment, ?string $idempotencyKey = null, ?int $timeoutMs = null): array
    {
        return $this->signed('/payment/capture', 'capture', $payment, self::ACCEPTED, $idempotencyKey, $timeoutMs);
    }

    /**
     * Gives money back, whole or in part. A callback reports the outcome.
     *
     * @param AmountOnPayment $payment
     * @return Accepted
     */
    public function refund(#[\SensitiveParameter] array $payment, ?string $idempotencyKey = null, ?int $timeoutMs = null): array
    {
        return $this->signed('/payment/refund', 'refund', $payment, self::ACCEPTED, $idempotencyKey, $timeoutMs);
    }

    /**
     * Takes a settled payment back, before the banks have cleared it. `WAITING` and `UNDEFINED` are not final: a callback follows.
     *
     * @param OnPayment $payment
     * @return Voided
     */
    public function void(#[\SensitiveParameter] array $payment, ?string $idempotencyKey = null, ?int $timeoutMs = null): array
    {
        $needs = ['payment_id', 'status', 'payment_status'];
        return $this->signed('/payment/void', 'void', $payment, $needs, $idempotencyKey, $timeoutMs);
    }

    /**
     * Charges again what a first payment agreed to. `pending` also covers an outcome that is not known yet.
     *
     * @param RecurringCharge $charge
     * @return array{payment_id: string, date: string, status: 'settled'|'pending'|'decline', order: Order, reason?: string, ...}
     */
    public function recurring(#[\SensitiveParameter] array $charge, ?string $idempotencyKey = null, ?int $timeoutMs = null): array
    {
        $hash = $this->hash('recurring', $charge + self::orderOf($charge));
        return $this->ask('/payment/recurring', ['hash' => $hash] + $charge, self::STATUS, $idempotencyKey, $timeoutMs);
    }

    /**
     * Tries a charge again that was declined softly. A callback reports the outcome.
     *
     * @param OnPayment $payment
     * @return Accepted
     */
    public function retry(#[\SensitiveParameter] array $payment, ?string $idempotencyKey = null, ?int $timeoutMs = null): array
    {
        return $this->signed('/payment/retry', 'retry', $payment, self::ACCEPTED, $idempotencyKey, $timeoutMs);
    }

    /**
     * Pays out to a card, to its number or to a saved one. A callback reports the outcome.
     *
     * @param CardCredit $payout
     * @return Accepted
     */
    public function credit(#[\SensitiveParameter] array $payout, ?string $idempotencyKey = null, ?int $timeoutMs = null): array
    {
        $body = ['hash' => $this->hash('card_credit', $payout)] + $payout;
        return $this->ask('/payment/card/credit', $body, self::ACCEPTED, $idempotencyKey, $timeoutMs);
    }

    /**
     * Checks that a callback comes from the checkout, whole and unchanged, and reads it. The reasons are `no-signature`, `too-old`,
     * `too-new`, `wrong-signature` and `unreadable`. Keep each `webhookId` that you have handled: the same callback can come again.
     *
     * @param string $body as it came: `file_get_contents('php://input')`
     * @param array<string, string|list<string>> $headers `getallheaders()`
     * @param int|null $now seconds since 1970. Default: now
     * @return array{ok: true, callback: array{webhookId: string, signedAt: int, version: int|null, fields: CallbackFields}}|array{ok: false, reason: string}
     */
    public function verifyCallback(#[\SensitiveParameter] string $body, array $headers, ?int $now = null): array
    {
        if ($this->callbackSecrets === []) {
            throw new \LogicException('callbackSecret: the client was given none.');
        }
        return Messages::callback($body, $headers, $this->callbackSecrets, $now ?? time());
    }

    /**
     * Checks that a return names a payment of this order, and with the `callbackSecret` what its status was. **Deliver on a callback,
     * not on a return.** Without the secret only a session that was signed with a to z alone upper-cased is recognised, as this
     * client signs. The reasons are `no-signature`, `other-order`, `wrong-hash`, `wrong-state` and `expired-state`.
     *
     * @param string $query as it came: `$_SERVER['QUERY_STRING']`
     * @param Order $order your own record of the order
     * @param int|null $now seconds since 1970. Default: now
     * @return array{ok: true, return: array{payment_id: string, trans_id: string, order_id: string, status?: string}}|array{ok: false, reason: string}
     */
    public function verifyReturn(#[\SensitiveParameter] string $query, array $order, ?int $now = null): array
    {
        return Messages::return(
            $query,
            $order,
            $this->merchantKey,
            $this->callbackSecrets,
            $this->password,
            $this->digest,
            $now ?? time(),
        );
    }

    /** The texts without which an answer says nothing. */
    private const STATUS = ['payment_id', 'date', 'status'];
    private const ACCEPTED = ['payment_id', 'result'];

    /**
     * @param array<string, mixed> $request
     * @return array<string, mixed>
     */
    private static function orderOf(#[\SensitiveParameter] array $request): array
    {
        return is_array($request['order'] ?? null)
            ? $request['order']
            : throw new \InvalidArgumentException('order: is missing.');
    }

    /** @param array<string, mixed> $fields */
    private function hash(string $formula, #[\SensitiveParameter] array $fields): ?string
    {
        $signed = Signatures::signedFields($formula, $fields);
        return $this->password === null ? null : Signatures::signRequest($formula, $signed, $this->password, $this->digest);
    }

    /**
     * A call that sends exactly the fields that it signs.
     *
     * @param array<string, mixed> $given
     * @param list<string> $needs
     * @return array<string, mixed>
     */
    private function signed(
        string $path,
        string $formula,
        #[\SensitiveParameter] array $given,
        array $needs,
        ?string $idempotencyKey,
        ?int $timeoutMs,
    ): array {
        $body = Signatures::signedFields($formula, $given) + ['hash' => $this->hash($formula, $given)];
        return $this->ask($path, $body, $needs, $idempotencyKey, $timeoutMs);
    }

    /**
     * @param array<string, mixed> $body
     * @param list<string> $needs
     * @return array<string, mixed>
     */
    private function ask(
        string $path,
        #[\SensitiveParameter] array $body,
        array $needs,
        ?string $idempotencyKey,
        ?int $timeoutMs,
    ): array {
        if ($idempotencyKey !== null && preg_match('/\A[!-~]{1,255}\z/', $idempotencyKey) !== 1) {
            throw new \InvalidArgumentException('idempotencyKey: expected 1 to 255 visible ASCII characters.');
        }
        $path = "/api/v1$path";
        $fields = array_filter(['merchant_key' => $this->merchantKey] + $body, static fn (mixed $value): bool => $value !== null);
        $text = json_encode(self::withObjects($fields), JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        if ($text === false) {
            // Not JSON_THROW_ON_ERROR: the trace of that error would hold the fields.
            throw new \InvalidArgumentException('The request is no JSON: ' . json_last_error_msg() . '.');
        }
        $headers = ['content-type' => 'application/json'];
        if ($idempotencyKey !== null) {
            $headers['idempotency-key'] = $idempotencyKey;
        }
        if ($this->requestKey !== null) {
            $headers += Signatures::requestHeaders($this->requestKey['id'], $this->requestKey['secret'], $path, $text);
        }
        $call = "POST $path";
        $timeout = self::checkedTimeout($timeoutMs ?? $this->timeoutMs);
        $answer = self::readAnswer($call, $this->answerOf($call, $this->baseUrl . $path, $headers, $text, $timeout));
        foreach ($needs as $name) {
            if (!is_string($answer[$name] ?? null)) {
                $requestId = self::textOf($answer, 'request_id');
                throw new UnknownOutcomeError('HTTP 200, and not an answer of this call.', $call, 200, null, $requestId);
            }
        }
        return $answer;
    }

    /**
     * @param array<string, string> $headers
     * @return array{status: int, headers: array<string, string|list<string>>, body: string}
     */
    private function answerOf(
        string $call,
        string $url,
        #[\SensitiveParameter] array $headers,
        #[\SensitiveParameter] string $text,
        int $timeoutMs,
    ): array {
        $deadline = hrtime(true) + $timeoutMs * 1_000_000;
        try {
            return ($this->send)($url, $headers, $text, $timeoutMs);
        } catch (\Throwable $failed) {
            $timedOut = hrtime(true) >= $deadline;
            $why = $timedOut ? "No answer came within $timeoutMs ms." : 'The connection failed before an answer came.';
            throw new UnknownOutcomeError($why, $call, timedOut: $timedOut, previous: $failed);
        }
    }

    /**
     * The body of a good answer; what the service says of any other is thrown.
     *
     * @param array{status: int, headers: array<string, string|list<string>>, body: string} $answer
     * @return array<string, mixed>
     */
    private static function readAnswer(string $call, #[\SensitiveParameter] array $answer): array
    {
        $status = $answer['status'];
        $body = json_decode($answer['body'], true);
        $isObject = is_array($body);
        if ($status === 200 && $isObject) {
            return $body;
        }
        $body = $isObject ? $body : [];
        $requestId = self::textOf($body, 'request_id');
        $reason = self::textOf($body, 'error_message');
        if ($reason === null) {
            throw new UnknownOutcomeError("HTTP $status, and not an answer of a checkout.", $call, $status, null, $requestId);
        }
        $code = (string) ($body['error_code'] ?? $status);
        if ($status === 409 || $status === 429) {
            $after = Http::header($answer['headers'], 'retry-after');
            $seconds = preg_match('/\A\d{1,9}\z/', $after) === 1 ? (int) $after : 1;
            throw new BusyError("HTTP $status: $reason", $seconds, $call, $status, $code, $requestId);
        }
        if ($status < 400 || $status >= 500) {
            throw new UnknownOutcomeError("HTTP $status: $reason", $call, $status, $code, $requestId);
        }
        $errors = $body['errors'] ?? [];
        if (is_array($errors) && $errors !== []) {
            $issues = array_map(self::issueOf(...), array_values($errors));
            throw new InvalidRequestError($issues, $call, $status, $code, $requestId);
        }
        throw new RefusedError($reason, $call, $status, $code, $requestId, self::textOf($body, 'hint'));
    }

    /**
     * An entry of `errors` or `warnings`: `<path>: <text>`. A path has no spaces, a text without one has.
     *
     * @return Issue
     */
    private static function issueOf(mixed $entry): array
    {
        $entry = is_array($entry) ? $entry : [];
        $text = self::textOf($entry, 'error_message') ?? '';
        $parts = preg_match('/\A([^\s:]+): (.*)\z/s', $text, $found) === 1 ? $found : [1 => '', 2 => $text];
        $code = is_numeric($entry['error_code'] ?? null) ? (int) $entry['error_code'] : 0;
        $hint = self::textOf($entry, 'hint');
        return ['path' => $parts[1], 'message' => $parts[2], 'code' => $code] + ($hint === null ? [] : ['hint' => $hint]);
    }

    /** @param array<string, mixed> $fields */
    private static function textOf(array $fields, string $name): ?string
    {
        return is_string($fields[$name] ?? null) ? $fields[$name] : null;
    }

    /**
     * An empty array of PHP is a list in JSON, and these fields are objects.
     *
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    private static function withObjects(#[\SensitiveParameter] array $fields): array
    {
        $object = static fn (mixed $value): mixed => $value === [] ? new \stdClass() : $value;
        if (is_array($fields['parameters'] ?? null)) {
            $fields['parameters'] = array_map($object, $fields['parameters']);
        }
        $objects = array_intersect_key($fields, array_flip(['customer', 'billing_address', 'parameters', 'custom_data']));
        return array_map($object, $objects) + $fields;
    }

    private static function checkedTimeout(int $timeoutMs): int
    {
        return $timeoutMs >= 1 ? $timeoutMs : throw new \InvalidArgumentException('timeoutMs: expected milliseconds above 0.');
    }
}
