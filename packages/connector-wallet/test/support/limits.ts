import { limitsWith } from '../../../core/test/support/limits.ts';
import { answer, sessionOf } from './sessions.ts';

export type { Good, Limit } from '../../../core/test/support/limits.ts';
export const { answerWith, limitsOf } = limitsWith({ answer, sessionOf });
