import type { CoverageLines, KeptCoverage } from '../../contracts/review/coverage.ts';
import type { ProjectPath } from '../../contracts/ids.ts';
import { parseBaseline } from '../proof/coverage/baseline-file.ts';
import { comparedWords, percentWords, pointsWords, shareWords } from '../proof/coverage/coverage-words.ts';
import { dropOf } from '../proof/coverage/debt-decision.ts';
import type { TechDebtSettings } from '../policy/compiled-policy.ts';
import type { Services } from '../services.ts';
import type { Session } from '../session/session.ts';

/** Lines of `/budget` about the coverage of the whole source: the baseline on HEAD, and how far it may fall. */
export async function describeDebt(
  { commits, policy }: Pick<Services, 'commits' | 'policy'>,
  session: Session,
): Promise<readonly string[]> {
  const settings = policy().techDebt;
  const text = await commits.textOnHead(settings.baselineFile as ProjectPath);
  if (text === null) return ['coverage is not measured: fluffy config init --coverage begins it'];
  const read = parseBaseline(text);
  if (read.kind === 'invalid')
    return [`coverage is not compared: ${settings.baselineFile} cannot be read: ${read.why}`];
  const { lines, runner } = read.baseline;
  if (lines === null) return ['coverage has no baseline yet: the next commit in strict mode measures it'];
  const { coverage } = session.snapshot;
  const last = coverage?.file === settings.baselineFile ? coverage : null;
  return [
    `coverage baseline ${shareWords(lines)}, counted with ${runner === '' ? 'an unknown runner' : runner}`,
    lastWords(last),
    ...thresholdWords(lines, settings),
    'to restore it: /strict, then ask for tests of code that none executes (such a change needs no failing test)',
  ];
}

function lastWords(last: KeptCoverage | null): string {
  if (last === null) return 'coverage has not been measured in this session: each proposed commit is';
  if (last.kind === 'impossible') return `coverage could not be measured: ${last.why}`;
  const measured = `last measured ${shareWords(last.lines)}`;
  if (last.baseline === null)
    return `${measured}, with no baseline of the same runner: the next commit in strict mode sets it`;
  return `${measured}, ${comparedWords(dropOf(last.baseline, last.lines))}`;
}

function thresholdWords(
  { covered, total }: CoverageLines,
  { warningThreshold, lockoutThreshold }: TechDebtSettings,
): string[] {
  const at = (points: number) => percentWords(Math.max(0, (100 * covered) / total + points));
  return [
    `explore mode warns below ${at(warningThreshold)} (${pointsWords(warningThreshold)}), and is locked below ${at(lockoutThreshold)} (${pointsWords(lockoutThreshold)})`,
  ];
}
