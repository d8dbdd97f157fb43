<?php

declare(strict_types=1);

// Loads the classes of this folder where Composer does not.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Railyard\\')) {
        $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('Railyard\\'))) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
