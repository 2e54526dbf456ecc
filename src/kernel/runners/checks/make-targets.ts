import { programCheck } from './check-source.ts';
import type { CheckSource } from './check-source.ts';

const FILES = ['GNUmakefile', 'makefile', 'Makefile'];
const TARGETS = ['lint', 'check', 'typecheck', 'type-check', 'types', 'fmt-check', 'format-check', 'check-format'];

/** Make targets with names of checks. GNU make reads only the first of these files. */
export const makeTargets: CheckSource = {
  reads: FILES,
  find: (directory) => {
    const text = FILES.map(directory.text).find((each) => each !== '') ?? '';
    const defined = new Set(
      [...text.matchAll(/^([\w./ -][\w./ \t-]*)::?(?![=:])/gm)].flatMap(([, names = '']) => names.split(/[ \t]+/)),
    );
    return TARGETS.filter((name) => defined.has(name)).map((name) =>
      programCheck(directory, `make ${name}`, { needs: 'make' }),
    );
  },
};
