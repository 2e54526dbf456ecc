import { safeLine } from '../store/safe-text.ts';
import type { SafeText } from '../store/safe-text.ts';

/** Shown one at a time, the most useful first. */
const TIPS: readonly string[] = [
  'type what should change. The tests for it come first, then the source',
  'a question needs no tests: just ask it',
  '@ attaches a file of the project',
  'type while a run goes on: your message joins it',
  '/why explains the last refusal, and what would change it',
  '!command runs in a sandbox; the model reads its output',
  'ctrl-o opens calls in full, or a waiting review file by file',
  'esc twice goes back to an earlier message, in a copy of the session',
  'ctrl-r searches what you sent, also in earlier sessions',
  '/approve FILE takes only these files; the rest comes back as it was',
  '/reject FILE "why" asks for a change of that file alone',
  '/edit FILE opens a file of the review in your editor',
  '/undo takes the last commit back, with files, index and branch',
  '/explore needs no test first; its commits are unverified',
  '/export work.html writes the session as a page for others',
  '#note adds a line to AGENTS.md, after a review',
  'a Markdown file in .fluffy/commands/ is a command of your own',
  'ctrl-g opens what you type in your editor',
  '/pin keeps a text or a file in every request',
  '/help COMMAND says more about one command',
];

/** The next tip, by the number of messages that a person has sent. */
export function tipFor(sent: number): SafeText {
  return safeLine(`tip: ${TIPS[sent % TIPS.length] ?? ''}`);
}
