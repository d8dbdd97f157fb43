export type QueueName = 'callbacks' | 'lookups' | 'modification-lookups' | 'runs' | 'notifications' | 'expiry';
