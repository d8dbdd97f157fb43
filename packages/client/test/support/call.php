<?php

declare(strict_types=1);

// Makes one call of the PHP client, read as JSON, and prints the answer or the error as JSON.
require __DIR__ . '/../../../../clients/php/autoload.php';

['client' => $client, 'call' => $call, 'args' => $args, 'named' => $named] = json_decode(stream_get_contents(STDIN), true);
try {
    $answer = $call === 'signRequest'
        ? array_map(static fn (array $each): string => Railyard\Signatures::signRequest(...$each), $args)
        : (new Railyard\Client(...$client))->$call(...$args, ...$named);
    echo json_encode(['answer' => $answer]);
} catch (Railyard\RailyardError $error) {
    $fields = get_object_vars($error) + ['message' => $error->getMessage()];
    echo json_encode(['error' => $fields, 'shown' => shown($error)]);
} catch (InvalidArgumentException $wrong) {
    echo json_encode(['wrong' => $wrong->getMessage(), 'shown' => shown($wrong)]);
}

/** All that a log may write of an error and of those before it, with the arguments of each frame. */
function shown(?Throwable $error): string
{
    return $error === null ? '' : print_r([$error->getMessage(), $error->getTrace()], true) . shown($error->getPrevious());
}
