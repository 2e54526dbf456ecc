import type { SyntaxLanguage } from '../../../../contracts/ports/syntax.ts';
import { go } from './go.ts';
import type { Grammar } from './grammar.ts';
import { java } from './java.ts';
import { javascript } from './javascript.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';

export const GRAMMARS: Readonly<Record<SyntaxLanguage, Grammar>> = {
  javascript,
  typescript: javascript,
  tsx: javascript,
  python,
  go,
  rust,
  java,
  ruby,
};
