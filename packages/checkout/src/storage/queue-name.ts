export type QueueName =
  | 'callbacks'
  | 'lookups'
  | 'modification-lookups'
  | 'runs'
  | 'schedules'
  | 'notifications'
  | 'expiry';
