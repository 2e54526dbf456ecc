import { nearestWord } from '../../lib/text/nearest-word.ts';
import { THEME_NAMES } from '../text/theme.ts';
import type { ThemeName } from '../text/theme.ts';
import type { SlashCommand } from './slash-command.ts';

export const theme: SlashCommand = {
  name: 'theme',
  argument: '[name]',
  help: `choose the colours: ${THEME_NAMES.join(', ')}`,
  synonyms: ['themes', 'color', 'colors', 'colour', 'colours', 'appearance'],
  needs: 'nothing',
  run: async (argument, context) => {
    if (argument === '') context.pickTheme();
    else if (isTheme(argument)) await context.keepTheme(argument);
    else {
      const near = nearestWord(argument, THEME_NAMES);
      context.hint(
        `There is no theme ${argument}. ${near === null ? THEME_NAMES.join(', ') : `Did you mean ${near}?`}`,
      );
    }
  },
};

function isTheme(name: string): name is ThemeName {
  return (THEME_NAMES as readonly string[]).includes(name);
}
