import { MODEL_CATALOGUE } from '../../lib/models/catalogue.ts';
import type { DoctorCheck } from './doctor-report.ts';
import { ok, problem } from './doctor-report.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Prices and models change every few months. */
const MAX_AGE_DAYS = 180;

/** How old the model catalogue is. */
export function checkCatalogue(nowMs: number): DoctorCheck {
  const { date, models } = MODEL_CATALOGUE;
  const days = Math.max(0, Math.floor((nowMs - Date.parse(date)) / DAY_MS));
  const what = `the model catalogue has ${Object.keys(models).length} models and is ${days} days old`;
  if (days <= MAX_AGE_DAYS) return ok('models', what);
  return problem(
    'warn',
    'models',
    what,
    'newer models are missing in it, and prices may have changed',
    'Update fluffy, or set models.<provider/model> in your config.yaml',
  );
}
