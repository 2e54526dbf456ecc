import { open } from 'node:fs/promises';
import { arch, release, type } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../../../package.json' with { type: 'json' };
import { userConfigSchema } from '../../config/config-schema.ts';
import type { UserConfig } from '../../config/config-schema.ts';
import type { DoctorReport } from '../../doctor/doctor-report.ts';
import type { Environment, OpenProject } from '../../open-project.ts';
import { showSession } from '../../session/read-sessions.ts';
import type { FeedbackFacts } from './feedback-text.ts';

interface FactSources {
  readonly opened: Pick<OpenProject, 'dirs' | 'userConfig'>;
  readonly env: Environment;
  readonly doctor: DoctorReport;
  readonly said: string;
  /** null: no session has begun. */
  readonly sessionId: string | null;
}

const LOG_BYTES = 16 * 1024;
const OF_TERMINAL = [
  'TERM',
  'TERM_PROGRAM',
  'TERM_PROGRAM_VERSION',
  'COLORTERM',
  'LANG',
  'TMUX',
  'SSH_TTY',
  'WSL_DISTRO_NAME',
];

export async function gatherFacts({ opened, env, doctor, said, sessionId }: FactSources): Promise<FeedbackFacts> {
  const { dirs, userConfig } = opened;
  const terminal = OF_TERMINAL.flatMap((name) => (env[name] === undefined ? [] : [`${name}=${env[name]}`]));
  const { columns, rows } = process.stdout;
  return {
    said,
    version: packageJson.version,
    machine: [
      ['system', `${type()} ${release()} ${arch()}`],
      ['node', process.versions.node],
      ['terminal', [`${columns}x${rows}`, ...terminal].join(' ')],
    ],
    session: sessionId === null ? null : showSession(dirs.database, sessionId),
    doctor,
    configured: configuredKeys(userConfig),
    log: await endOf(join(dirs.host, 'supervisor.log')),
    home: env['HOME'],
  };
}

/** Keys that differ from their defaults. */
function configuredKeys(config: UserConfig): readonly string[] {
  const defaults = userConfigSchema.parse({}) as Readonly<Record<string, unknown>>;
  return Object.entries(config)
    .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key]))
    .map(([key]) => key);
}

/** '' if there is no file. */
async function endOf(path: string): Promise<string> {
  const file = await open(path).catch(() => null);
  if (file === null) return '';
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(LOG_BYTES),
      position: Math.max(0, size - LOG_BYTES),
    });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
