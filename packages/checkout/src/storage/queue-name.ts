export type QueueName =
  | 'callbacks'
  | 'lookups'
  | 'modification-lookups'
  | 'runs'
  | 'schedules'
  | 'remainders'
  | 'notifications'
  | 'expiry';
