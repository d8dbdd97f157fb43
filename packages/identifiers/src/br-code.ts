export { buildBrCode, toBrCodeText } from './br-code/build.ts';
export { parseBrCode } from './br-code/parse.ts';
export type {
  BrCode,
  BrCodeBuildResult,
  BrCodeFailure,
  BrCodeInput,
  BrCodeResult,
  DynamicBrCode,
  RecurrenceBrCode,
  StaticBrCode,
} from './br-code/types.ts';
