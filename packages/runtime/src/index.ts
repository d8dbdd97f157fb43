export { type Credentials, memoryCredentials } from './credentials.ts';
export { drive } from './drive.ts';
export { type Journal, type JournalEntry, memoryJournal, type StepKind } from './journal.ts';
export { kyTransport } from './ky-transport.ts';
export { receiveNotification, type ReceivedNotification } from './notification.ts';
export type { PlainJson } from './plain-json.ts';
export { redact } from './redact.ts';
export type { Answer, AnswerProblem, CallLog, DriveResult, FlowName, Host, Run, Turn, TurnField } from './run.ts';
export type { HttpRequest, HttpResult, Transport } from './transport.ts';
