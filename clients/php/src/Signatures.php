<?php

declare(strict_types=1);

namespace Railyard;

/** The signatures of the protocol: the hash of a request, and the HMAC of requests, callbacks and returns. */
final class Signatures
{
    /**
     * The `hash` of a request, a callback or a return: 40 lower-case hex digits.
     *
     * @param string $formula a name of `formulas.php`: `session`, `refund`
     * @param array<string, mixed> $fields the signed fields, as the strings that are sent
     * @param string $digest `md5`, or `sha256` where the checkout has agreed to it
     */
    public static function signRequest(
        string $formula,
        #[\SensitiveParameter] array $fields,
        #[\SensitiveParameter] string $password,
        string $digest = 'md5',
    ): string {
        if ($password === '') {
            throw new \InvalidArgumentException('A merchant password must not be empty.');
        }
        $text = implode('', self::signedFields($formula, $fields)) . $password;
        // strtoupper() changes a to z alone. The service accepts such hashes.
        return sha1(hash($digest, strtoupper($text)));
    }

    /**
     * The `hash` of a session.
     *
     * @param array<string, mixed> $order number, amount, currency and description; without an amount where the payer chooses it
     */
    public static function signSession(
        array $order,
        #[\SensitiveParameter] string $password,
        string $digest = 'md5',
    ): string {
        return self::signRequest(self::forOrder('session', $order), $order, $password, $digest);
    }

    /**
     * The name of the formula for an order, which may have no amount.
     *
     * @internal
     * @param array<string, mixed> $order
     */
    public static function forOrder(string $formula, array $order): string
    {
        return isset($order['amount']) ? $formula : "{$formula}_without_amount";
    }

    /**
     * The fields that a formula signs, in their order.
     *
     * @internal
     * @param array<string, mixed> $fields
     * @return array<string, string>
     */
    public static function signedFields(string $formula, #[\SensitiveParameter] array $fields): array
    {
        static $formulas = null;
        $formulas ??= require __DIR__ . '/formulas.php';
        $signed = [];
        foreach ($formulas[$formula] ?? throw new \InvalidArgumentException("There is no formula \"$formula\".") as $name) {
            $value = $fields[$name] ?? null;
            if (!is_string($value)) {
                $example = str_ends_with($name, 'amount') ? ' such as "10.00"' : '';
                $wrong = $value === null ? 'is missing.' : "expected a string$example, got " . get_debug_type($value) . '.';
                throw new \InvalidArgumentException("$name: $wrong");
            }
            $signed[$name] = $value;
        }
        return $signed;
    }

    /**
     * The headers of a signed request. Made anew for each sending: the checkout accepts an id once.
     *
     * @param string $secret `whsec_` and Base64
     * @param string $path behind the address of the checkout: `/api/v1/session`
     * @return array<string, string>
     */
    public static function requestHeaders(
        string $key,
        #[\SensitiveParameter] string $secret,
        string $path,
        #[\SensitiveParameter] string $body,
    ): array {
        $id = bin2hex(random_bytes(16));
        $time = (string) time();
        return [
            'request-key' => $key,
            'request-id' => $id,
            'request-timestamp' => $time,
            'request-signature' => self::hmac($secret, "$id.$time.POST $path\n$body"),
        ];
    }

    /**
     * `v1,` and the Base64 of HMAC-SHA256.
     *
     * @internal
     */
    public static function hmac(#[\SensitiveParameter] string $secret, #[\SensitiveParameter] string $signed): string
    {
        return 'v1,' . base64_encode(hash_hmac('sha256', $signed, self::keyOf($secret), true));
    }

    /**
     * Whether one of the signatures, with spaces between them, was made by one of the secrets.
     *
     * @internal
     * @param list<string> $secrets
     */
    public static function isMadeBy(
        string $header,
        #[\SensitiveParameter] array $secrets,
        #[\SensitiveParameter] string $signed,
    ): bool {
        $found = false;
        foreach ($secrets as $secret) {
            $expected = self::hmac($secret, $signed);
            foreach (explode(' ', $header) as $given) {
                $found = hash_equals($expected, $given) || $found;
            }
        }
        return $found;
    }

    private static function keyOf(#[\SensitiveParameter] string $secret): string
    {
        $text = str_starts_with($secret, 'whsec_') ? substr($secret, strlen('whsec_')) : $secret;
        $key = preg_match('#\A[A-Za-z0-9+/]{16,}={0,2}\z#', $text) === 1 ? base64_decode($text, true) : false;
        return $key === false ? throw new \InvalidArgumentException('A secret is "whsec_" and Base64.') : $key;
    }
}
