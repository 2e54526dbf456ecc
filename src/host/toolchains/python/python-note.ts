import type { ToolchainNote } from '../toolchain.ts';
import type { AskedPython } from './asked-python.ts';
import { OLDEST_PYTHON, type PythonChoice, type PythonOptions, choosePython } from './choose-python.ts';
import type { InstalledPython } from './installed-pythons.ts';

const SUGGESTED = Array.from({ length: 30 }, (_, minor) => `3.${minor}`).slice(OLDEST_PYTHON);

/** The note if the tests of a project run with another Python than that of the images, or than it requests; null if not. */
export async function pythonNote(options: PythonOptions): Promise<ToolchainNote | null> {
  const choice = await choosePython(options);
  switch (choice.kind) {
    case 'fits':
      return null;
    case 'installed':
      return usedPython(choice.asked, choice.pythons[0], choice.image);
    case 'other':
      return otherPython(choice);
  }
}

/** The note about an installed Python that is used. Pure. */
export function usedPython({ place, range }: AskedPython, python: InstalledPython, image: string): ToolchainNote {
  return {
    level: 'info',
    what: `Python ${python.version} from ${python.from}, requested by ${place}`,
    why: `The project asks for Python ${range.text}, and the images have Python ${image}`,
    fix: 'Nothing. To use another Python, change that file and start the session again',
  };
}

/** The note if another Python is used than the project requests. `left`: why the installed ones are not used. Pure. */
export function otherPython(
  { asked, used, virtualenv, installed }: Extract<PythonChoice, { kind: 'other' }>,
  left: readonly string[] = [],
): ToolchainNote {
  const { place, range } = asked;
  const what = `${place} asks for Python ${range.text}; tests and commands run with Python ${used}`;
  const minor = SUGGESTED.find((each) => range.allows(each));
  if (minor === undefined) {
    const why = `Runners of Python need Python 3.${OLDEST_PYTHON} or later`;
    const fix = `if a test fails only in a session, change the project so that it works with Python ${used} too`;
    return { level: 'warn', what, why, fix };
  }
  const orImage = `run fluffy image use python:${minor}`;
  const install = `install Python ${minor} (pyenv install ${minor})`;
  if (virtualenv !== null) {
    const make = `remove ${virtualenv}, make a virtual environment with it (${installed?.program ?? `python${minor}`} -m venv .venv), and install the packages there`;
    const why = `They run with the interpreter of the virtual environment, and ${virtualenv} was made with Python ${used}`;
    return { level: 'warn', what, why, fix: installed === null ? `${install}, ${make}; or ${orImage}` : make };
  }
  if (left.length > 0) return { level: 'warn', what, why: left.join('; '), fix: orImage };
  const why = 'There is no virtual environment, and no such Python was found in pyenv, uv, mise or asdf';
  return { level: 'warn', what, why, fix: `${install}, then start the session again; or ${orImage}` };
}
