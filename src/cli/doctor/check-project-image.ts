import { FluffyError } from '../../contracts/fluffy-error.ts';
import { findImage } from '../../host/images/engine-images.ts';
import type { ImageChoice } from '../../host/images/project/project-image.ts';
import { readDevcontainer } from '../image/devcontainer.ts';
import { type ChosenImageOptions, chosenImage } from '../supervisor/sandbox-images.ts';
import { type DoctorCheck, failure, ok, problem } from './doctor-report.ts';

const ID = 'image.project';

/** Tests the image that the user's configuration names for the project, like a start would, and checks whether its name still refers to it. */
export async function checkProjectImage(choice: ImageChoice, options: ChosenImageOptions): Promise<DoctorCheck[]> {
  const { reference, id } = choice;
  try {
    const { programs, notes } = await chosenImage(choice, options);
    const versions = Object.values(programs).map(({ version }) => version);
    const what = `tests and commands of this project run in ${reference} (${id.slice(0, 19)})`;
    const named = await findImage(options.engine, reference);
    return [
      ok(ID, [what, ...versions].join('; ')),
      ...notes.map((note) => problem('warn', ID, `In the image ${reference} something is missing`, note, '')),
      ...(named === undefined || named === id ? [] : [moved(reference, named)]),
    ];
  } catch (error) {
    if (error instanceof FluffyError) return [failure(ID, error)];
    throw error;
  }
}

/** An image that the project itself names is used only after a person's yes. */
export function offeredImage(projectRoot: string): DoctorCheck[] {
  const found = readDevcontainer(projectRoot);
  if (found.kind !== 'image') return [];
  const what = `tests run in fluffy's own images; \`fluffy image use\` takes ${found.image}, which ${found.file} names`;
  return [ok(ID, what)];
}

function moved(reference: string, named: string): DoctorCheck {
  const what = `${reference} is another image by now`;
  const why = `it is ${named.slice(0, 19)}, and the project still uses the chosen image`;
  return problem('warn', ID, what, why, `to take the new one: fluffy image use ${reference}`);
}
