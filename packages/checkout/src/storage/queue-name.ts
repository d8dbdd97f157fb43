export type QueueName = 'callbacks' | 'lookups' | 'action-lookups' | 'runs' | 'notifications' | 'expiry';
