<?php

declare(strict_types=1);

namespace Railyard;

/** Too many requests, or one with this idempotency key is still being handled. Send it again after `retryAfterSeconds`. */
final class BusyError extends RailyardError
{
    public function __construct(
        string $message,
        public readonly int $retryAfterSeconds,
        string $call,
        int $status,
        ?string $errorCode,
        ?string $requestId,
    ) {
        parent::__construct('busy', $message, $call, $status, $errorCode, $requestId);
    }
}
