import { cassette } from './cassette.ts';
import type { RecordingFormat } from './format.ts';
import { geminiResponses } from './gemini-responses.ts';
import { messagesFile, sessionLines } from './messages.ts';
import { openHands } from './openhands.ts';
import { sweAgent } from './swe-agent.ts';

/** Asked in order: the first that finds a conversation has it. */
export const RECORDING_FORMATS: readonly RecordingFormat[] = [
  sweAgent,
  openHands,
  messagesFile,
  sessionLines,
  geminiResponses,
  cassette,
];
