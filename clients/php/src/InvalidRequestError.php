<?php

declare(strict_types=1);

namespace Railyard;

/** Fields are wrong. Nothing was done: correct them and send the request again. */
final class InvalidRequestError extends RailyardError
{
    /**
     * @param list<array{path: string, message: string, code: int, hint?: string}> $issues each wrong field, with a dotted path:
     *     `order.amount`; `hint` names the values that the field takes
     */
    public function __construct(
        public readonly array $issues,
        string $call,
        int $status,
        ?string $errorCode,
        ?string $requestId,
    ) {
        $lines = array_map(
            static fn (array $issue): string => ltrim("{$issue['path']}: {$issue['message']}", ': '),
            $issues,
        );
        parent::__construct('invalid', implode(' ', $lines), $call, $status, $errorCode, $requestId);
    }
}
