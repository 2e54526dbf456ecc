import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { beforeSignalledEnd } from '../../lib/ending-signals.ts';
import type { SignalledProcess } from '../../lib/ending-signals.ts';
import type { Output } from '../output/output.ts';

interface Terminal extends NodeJS.EventEmitter {
  setRawMode(raw: boolean): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** A line typed or pasted in a terminal, without echo. null at the end of input before any key. Throws FluffyError `interrupted` at Ctrl-C. */
export async function readSecret(
  terminal: Terminal,
  output: Output,
  prompt: string,
  ending?: SignalledProcess,
): Promise<string | null> {
  output.stderr(prompt);
  const stopWatching = beforeSignalledEnd(() => terminal.setRawMode(false), ending);
  terminal.setRawMode(true);
  try {
    return await new Promise<string | null>((resolve, reject) => {
      let text = '';
      const take = (chunk: Buffer | string) => {
        // Removes the marks of a bracketed paste.
        for (const character of String(chunk).replaceAll(/\u001b\[20[01]~/g, '')) {
          if (character === '\r' || character === '\n') return end(() => resolve(text));
          if (character === '\u0003') return end(() => reject(interrupted()));
          if (character === '\u0004') return end(() => resolve(text === '' ? null : text));
          text = character === '\u007f' || character === '\b' ? text.slice(0, -1) : text + character;
        }
      };
      const end = (settle: () => void) => {
        terminal.removeListener('data', take);
        settle();
      };
      terminal.on('data', take);
      terminal.once('end', () => end(() => resolve(text === '' ? null : text)));
      terminal.resume();
    });
  } finally {
    stopWatching();
    terminal.setRawMode(false);
    terminal.pause();
    output.stderr('\n');
  }
}

function interrupted(): FluffyError {
  return new FluffyError({
    code: 'interrupted',
    what: 'Interrupted',
    why: 'Ctrl-C was pressed',
    fix: 'Start it again; nothing was changed',
    exitCode: EXIT.interrupted,
  });
}
