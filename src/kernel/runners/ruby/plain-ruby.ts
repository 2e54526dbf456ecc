import { plainEnvironment } from '../plain-command.ts';
import type { PlainCommand } from '../plain-command.ts';

/** Returns the command as a user runs it: with Bundler if the project's gems are installed for Bundler. */
export function plainRuby(words: string, command: string): PlainCommand {
  const bundled = `if [ -f Gemfile ] && bundle check >/dev/null 2>&1; then run='bundle exec'; else run=; fi`;
  return {
    words,
    script: `${bundled}; ${command}`,
    build: null,
    env: plainEnvironment([]),
    image: 'node',
  };
}
