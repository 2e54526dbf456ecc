import { assertNever } from '../../lib/assert-never.ts';
import type { ImageStatus } from '../../host/images/ensure-images.ts';
import { type DoctorCheck, ok, problem } from './doctor-report.ts';

const FIX = 'run: fluffy doctor --fix';

/** `built`: a session builds missing images itself, so a missing one is no obstacle. */
export function checkImage(status: ImageStatus, built: boolean): DoctorCheck {
  const id = `image.${status.name}`;
  switch (status.kind) {
    case 'fresh':
      return ok(id, `image ${status.name} is fresh (${status.id.slice(0, 19)})`);
    case 'stale':
      return problem('warn', id, `image ${status.name} is stale`, status.why, FIX);
    case 'missing':
      return problem(built ? 'warn' : 'error', id, `image ${status.name} is missing`, status.why, FIX);
    default:
      return assertNever(status);
  }
}
