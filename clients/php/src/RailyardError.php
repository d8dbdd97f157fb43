<?php

declare(strict_types=1);

namespace Railyard;

/**
 * An error of a call. `kind` is `invalid`, `refused`, `busy` or `unknown`. No error carries a password, a secret, a hash or
 * the body of a request.
 */
abstract class RailyardError extends \RuntimeException
{
    /**
     * @param string $kind `invalid`, `refused`, `busy` or `unknown`
     * @param string $call the request: `POST /api/v1/payment/refund`
     * @param int|null $status the HTTP status of the answer, where one came
     * @param string|null $errorCode `error_code` of the answer: `101000` for a payment that does not exist
     * @param string|null $requestId the service's own name for the request; quote it when you ask its operator
     */
    public function __construct(
        public readonly string $kind,
        string $message,
        public readonly string $call,
        public readonly ?int $status = null,
        public readonly ?string $errorCode = null,
        public readonly ?string $requestId = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct("$call: $message", 0, $previous);
    }
}
