<?php

declare(strict_types=1);

namespace Railyard;

/**
 * The checks of callbacks and returns.
 *
 * @internal Client has the same functions for its own secrets.
 */
final class Messages
{
    private const CALLBACK_FIELDS = [
        'id', 'order_number', 'order_amount', 'order_currency', 'order_description', 'order_status', 'type', 'status', 'hash',
    ];
    private const RETURN_PARAMETERS = ['payment_id', 'trans_id', 'order_id', 'state', 'hash'];
    private const TOLERANCE_SECONDS = 300;

    /**
     * @param array<string, string|list<string>> $headers
     * @param list<string> $secrets
     * @return array{ok: true, callback: array<string, mixed>}|array{ok: false, reason: string}
     */
    public static function callback(
        #[\SensitiveParameter] string $body,
        array $headers,
        #[\SensitiveParameter] array $secrets,
        int $now,
    ): array {
        $header = static fn (string $name): string => Http::header($headers, $name);
        [$id, $time, $signature] = [$header('webhook-id'), $header('webhook-timestamp'), $header('webhook-signature')];
        if ($id === '' || $signature === '' || preg_match('/\A\d{1,12}\z/', $time) !== 1) {
            return self::refused('no-signature');
        }
        $signedAt = (int) $time;
        if (abs($signedAt - $now) > self::TOLERANCE_SECONDS) {
            return self::refused($signedAt < $now ? 'too-old' : 'too-new');
        }
        if (!Signatures::isMadeBy($signature, $secrets, "$id.$time.$body")) {
            return self::refused('wrong-signature');
        }
        $fields = self::fieldsOf($body);
        foreach (self::CALLBACK_FIELDS as $name) {
            if (!is_string($fields[$name] ?? null)) {
                return self::refused('unreadable');
            }
        }
        $version = $header('x-payment-version');
        return [
            'ok' => true,
            'callback' => [
                'webhookId' => $id,
                'signedAt' => $signedAt,
                'version' => preg_match('/\A\d{1,15}\z/', $version) === 1 ? (int) $version : null,
                'fields' => $fields,
            ],
        ];
    }

    /**
     * @param array<string, mixed> $order your own record of the order
     * @param list<string> $secrets with them `state` is checked, without them the legacy hash
     * @return array{ok: true, return: array<string, string>}|array{ok: false, reason: string}
     */
    public static function return(
        #[\SensitiveParameter] string $query,
        array $order,
        string $merchantKey,
        #[\SensitiveParameter] array $secrets,
        #[\SensitiveParameter] ?string $password,
        string $digest,
        int $now,
    ): array {
        $found = [];
        foreach (self::pairsOf(ltrim($query, '?')) as [$name, $value]) {
            if (in_array($name, self::RETURN_PARAMETERS, true)) {
                if (isset($found[$name])) {
                    return self::refused('no-signature');
                }
                $found[$name] = $value;
            }
        }
        $proof = $found[$secrets === [] ? 'hash' : 'state'] ?? null;
        if (!isset($found['payment_id'], $found['trans_id'], $found['order_id'], $proof)) {
            return self::refused('no-signature');
        }
        if ($found['order_id'] !== ($order['number'] ?? null)) {
            return self::refused('other-order');
        }
        $ids = array_diff_key($found, ['state' => true, 'hash' => true]);
        if ($secrets !== []) {
            return self::byState($ids, $proof, $merchantKey, $secrets, $now);
        }
        if ($password === null) {
            throw new \LogicException('verifyReturn: give the client a callbackSecret or a password.');
        }
        $fields = ['payment_id' => $ids['payment_id']] + $order;
        $expected = Signatures::signRequest(Signatures::forOrder('return', $order), $fields, $password, $digest);
        return hash_equals($expected, $proof) ? ['ok' => true, 'return' => $ids] : self::refused('wrong-hash');
    }

    /**
     * @param array<string, string> $ids
     * @param list<string> $secrets
     * @return array{ok: true, return: array<string, string>}|array{ok: false, reason: string}
     */
    private static function byState(
        array $ids,
        #[\SensitiveParameter] string $state,
        string $merchantKey,
        #[\SensitiveParameter] array $secrets,
        int $now,
    ): array {
        if (preg_match('#\A([a-z]{1,32})\.(\d{1,12})\.(v1,[A-Za-z0-9+/]+=*)\z#', $state, $parts) !== 1) {
            return self::refused('wrong-state');
        }
        [, $status, $expires, $signature] = $parts;
        $lines = ['return', $merchantKey, $ids['payment_id'], $ids['trans_id'], $ids['order_id'], $status, (int) $expires];
        if (!Signatures::isMadeBy($signature, $secrets, implode("\n", $lines))) {
            return self::refused('wrong-state');
        }
        return (int) $expires < $now
            ? self::refused('expired-state')
            : ['ok' => true, 'return' => $ids + ['status' => $status]];
    }

    /** @return array{ok: false, reason: string} */
    private static function refused(string $reason): array
    {
        return ['ok' => false, 'reason' => $reason];
    }

    /**
     * The fields of a form or of JSON. PHP's own parser of forms changes names with dots and spaces, and takes the last of a
     * name that is given twice.
     *
     * @return array<string, mixed>|null
     */
    private static function fieldsOf(string $body): ?array
    {
        if (str_starts_with($body, '{')) {
            $read = json_decode($body, true);
            return is_array($read) ? $read : null;
        }
        $fields = [];
        foreach (self::pairsOf($body) as [$name, $value]) {
            $isNested = preg_match('/\A(custom_data|extended_data)\[(.*)\]\z/s', $name, $parts) === 1;
            $at = &$fields;
            foreach ($isNested ? [$parts[1], ...explode('][', $parts[2])] : [$name] as $key) {
                if (is_string($at)) {
                    return null;
                }
                $at = &$at[$key];
            }
            if ($at !== null) {
                return null;
            }
            $at = $value;
            unset($at);
        }
        return $fields;
    }

    /** @return list<array{string, string}> */
    private static function pairsOf(string $form): array
    {
        $parts = array_filter(explode('&', $form), static fn (string $part): bool => $part !== '');
        return array_values(array_map(
            static fn (string $part): array => array_map('urldecode', explode('=', $part, 2) + [1 => '']),
            $parts,
        ));
    }
}
