<?php

declare(strict_types=1);

namespace Railyard;

/**
 * No answer came, or none that can be read: **the outcome is unknown**, and it is never a decline. Ask for the status, or send
 * the request again with the same `idempotencyKey`, which has an effect once at most.
 */
final class UnknownOutcomeError extends RailyardError
{
    /** @param bool $timedOut no answer came within `timeoutMs` */
    public function __construct(
        string $why,
        string $call,
        ?int $status = null,
        ?string $errorCode = null,
        ?string $requestId = null,
        public readonly bool $timedOut = false,
        ?\Throwable $previous = null,
    ) {
        $message = "$why Whether anything was done is unknown.";
        parent::__construct('unknown', $message, $call, $status, $errorCode, $requestId, $previous);
    }
}
