<?php

declare(strict_types=1);

namespace Railyard;

/** The request is well formed and cannot be done: a duplicate, an unknown payment, a refund above the rest. Nothing was done. */
final class RefusedError extends RailyardError
{
    /**
     * @param string $reason the service's words, without the call before them
     * @param string|null $hint more about the refusal, where the service says more
     */
    public function __construct(
        public readonly string $reason,
        string $call,
        int $status,
        ?string $errorCode,
        ?string $requestId,
        public readonly ?string $hint = null,
    ) {
        parent::__construct('refused', $reason, $call, $status, $errorCode, $requestId);
    }
}
