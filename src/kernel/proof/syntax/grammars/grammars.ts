import type { SyntaxLanguage } from '../../../../contracts/ports/syntax.ts';
import { cpp } from './cpp.ts';
import { go } from './go.ts';
import type { Grammar } from './grammar.ts';
import { java } from './java.ts';
import { javascript, typescript } from './javascript.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';

export const GRAMMARS: Readonly<Record<SyntaxLanguage, Grammar>> = {
  javascript,
  typescript,
  tsx: typescript,
  python,
  go,
  rust,
  java,
  ruby,
  php,
  cpp,
};
