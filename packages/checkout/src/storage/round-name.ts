export type RoundName = 'callbacks' | 'lookups' | 'action-lookups' | 'runs' | 'notifications' | 'expiry';
