<?php

declare(strict_types=1);

namespace Railyard;

/**
 * Sends a request with the streams of PHP, which need no extension but openssl.
 *
 * @internal Give the client a `send` of your own to use another library.
 */
final class Http
{
    /**
     * @param array<string, string> $headers
     * @return array{status: int, headers: array<string, string>, body: string} the names of the headers in lower case
     * @throws \RuntimeException where no whole answer came
     */
    public static function post(
        string $url,
        #[\SensitiveParameter] array $headers,
        #[\SensitiveParameter] string $body,
        int $timeoutMs,
    ): array {
        $deadline = hrtime(true) + $timeoutMs * 1_000_000;
        $lines = array_map(static fn (string $name): string => "$name: {$headers[$name]}", array_keys($headers));
        $http = [
            'method' => 'POST',
            'header' => $lines,
            'content' => $body,
            // PHP cuts it to whole milliseconds, so that it would end before the deadline.
            'timeout' => ($timeoutMs + 1) / 1000,
            'protocol_version' => 1.1,
            // The answer to a refused request says why.
            'ignore_errors' => true,
            // A signed request belongs to the one address that it was sent to.
            'follow_location' => 0,
        ];
        $problem = 'No answer came.';
        set_error_handler(static function (int $_level, string $message) use (&$problem): bool {
            $problem = $message;
            return true;
        });
        try {
            $stream = fopen($url, 'rb', false, stream_context_create(['http' => $http]));
            if ($stream === false) {
                throw new \RuntimeException($problem);
            }
            $answer = self::headOf(stream_get_meta_data($stream)['wrapper_data'] ?? []);
            return $answer + ['body' => self::bodyOf($stream, $deadline)];
        } finally {
            restore_error_handler();
        }
    }

    /**
     * The value of a header, whose name may have any case and whose values may be a list, as PSR-7 has them.
     *
     * @param array<string, string|list<string>> $headers
     */
    public static function header(array $headers, string $name): string
    {
        return implode(', ', (array) (array_change_key_case($headers)[$name] ?? ''));
    }

    /** @param resource $stream */
    private static function bodyOf($stream, int $deadline): string
    {
        $text = '';
        while (!feof($stream)) {
            $left = max(1, intdiv($deadline - hrtime(true), 1000));
            stream_set_timeout($stream, intdiv($left, 1_000_000), $left % 1_000_000);
            // The bytes that have arrived, or one byte: the filter for chunks waits until it has as many as were asked for.
            $chunk = fread($stream, max(1, stream_get_meta_data($stream)['unread_bytes']));
            $brokeOff = $chunk === false && !stream_get_meta_data($stream)['timed_out'];
            if ($brokeOff || hrtime(true) > $deadline) {
                throw new \RuntimeException('The answer broke off.');
            }
            $text .= $chunk;
        }
        return $text;
    }

    /**
     * @param list<string> $lines
     * @return array{status: int, headers: array<string, string>}
     */
    private static function headOf(array $lines): array
    {
        $head = ['status' => 0, 'headers' => []];
        foreach ($lines as $line) {
            if (preg_match('#\AHTTP/\S+ (\d{3})#', $line, $parts) === 1) {
                $head = ['status' => (int) $parts[1], 'headers' => []];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $head['headers'][strtolower($name)] = trim($value);
            }
        }
        return $head;
    }
}
