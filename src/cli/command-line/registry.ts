import { demo } from '../commands/demo.ts';
import { doctor } from '../commands/doctor.ts';
import { init } from '../commands/init.ts';
import { review } from '../commands/review.ts';
import { run } from '../commands/run.ts';
import { auditAnchor } from '../commands/audit/anchor.ts';
import { auditExport } from '../commands/audit/export.ts';
import { auditKeys } from '../commands/audit/keys.ts';
import { auditLog } from '../commands/audit/log.ts';
import { auditReset } from '../commands/audit/reset.ts';
import { auditVerify } from '../commands/audit/verify.ts';
import { configGet } from '../commands/config/get.ts';
import { configInit } from '../commands/config/init.ts';
import { configList } from '../commands/config/list.ts';
import { configSetKey } from '../commands/config/set-key.ts';
import { configSet } from '../commands/config/set.ts';
import { configUnset } from '../commands/config/unset.ts';
import { policyCheck } from '../commands/config-policy/check.ts';
import { policyDistrust } from '../commands/config-policy/distrust.ts';
import { policyEdit } from '../commands/config-policy/edit.ts';
import { policyExplain } from '../commands/config-policy/explain.ts';
import { completion } from '../commands/completion/script.ts';
import { completionWords } from '../commands/completion/words.ts';
import { man } from '../commands/man.ts';
import { models } from '../commands/models.ts';
import { policyShow } from '../commands/config-policy/show.ts';
import { imageBuild } from '../commands/image/build.ts';
import { imageList } from '../commands/image/list.ts';
import { imagePrune } from '../commands/image/prune.ts';
import { imageUse } from '../commands/image/use.ts';
import { sessionArchive } from '../commands/session/archive.ts';
import { sessionExport } from '../commands/session/export.ts';
import { sessionList } from '../commands/session/list.ts';
import { sessionResume } from '../commands/session/resume.ts';
import { sessionRm } from '../commands/session/rm.ts';
import { sessionShow } from '../commands/session/show.ts';
import { sessionRedo } from '../commands/session/redo.ts';
import { sessionRename } from '../commands/session/rename.ts';
import { sessionUndo } from '../commands/session/undo.ts';
import type { CliCommand } from './cli-command.ts';

/** What `fluffy` does without a command: it works on a task. */
export const DEFAULT_COMMAND: CliCommand = run;

function all(): { commands: readonly CliCommand[]; run: CliCommand } {
  return { commands: COMMANDS, run: DEFAULT_COMMAND };
}

/** Every command with a name, in the order of `fluffy --help`. */
export const COMMANDS: readonly CliCommand[] = [
  demo,
  init,
  doctor,
  models,
  review,
  sessionList,
  sessionShow,
  sessionExport,
  sessionResume,
  sessionUndo,
  sessionRedo,
  sessionRename,
  sessionArchive,
  sessionRm,
  configInit,
  configList,
  configGet,
  configSet,
  configUnset,
  configSetKey,
  policyShow,
  policyCheck,
  policyExplain,
  policyEdit,
  policyDistrust,
  auditLog,
  auditVerify,
  auditKeys,
  auditExport,
  auditAnchor,
  auditReset,
  imageList,
  imageBuild,
  imagePrune,
  imageUse,
  completion,
  completionWords(all),
  man(all),
];
