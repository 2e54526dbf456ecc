import { FluffyError } from '../../contracts/fluffy-error.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import { repairCommands } from '../../bootstrap/repair-commands.ts';
import { type Machine, asRoot } from './machine.ts';

/**
 * The commands that install the engine, in order; `undefined` if fluffy cannot: on systems not based on Debian, and for users who can't become root.
 */
export function installCommands(machine: Machine): (readonly string[])[] | undefined {
  if (machine.system.platform !== 'linux' || !machine.has('apt-get')) return undefined;
  const commands = [
    asRoot(machine, ['apt-get', 'update', '-q']),
    // No recommended packages, except the one that mounts control groups where systemd doesn't. No installed package is removed, such as Podman's
    // `docker` command.
    asRoot(machine, [
      'apt-get',
      'install',
      '-y',
      '-q',
      '--no-install-recommends',
      '--no-remove',
      'docker.io',
      ...(machine.system.systemd ? [] : ['cgroupfs-mount']),
    ]),
  ];
  return commands.every((command) => command !== undefined) ? commands : undefined;
}

/**
 * Installs Docker from the system's own packages. The caller has consent.
 *
 * @throws FluffyError `engine_not_installed` with the command to run by hand.
 */
export async function installEngine(machine: Machine, progress: (line: string) => void): Promise<void> {
  const commands = installCommands(machine);
  const fix = repairCommands(machine.system).install;
  if (commands === undefined)
    throw notInstalled('fluffy does not know how to install one on this system as this user', fix);
  progress('installing the container engine: package docker.io, from the package sources of this system');
  for (const command of commands) {
    const code = await machine.run(command);
    // An outdated index can be good enough: only a failed installation is an error.
    if (code !== 0 && !command.includes('update'))
      throw notInstalled(`\`${command.join(' ')}\` ended with ${code}, see above`, fix);
  }
}

function notInstalled(why: string, fix: string): FluffyError {
  return new FluffyError({
    code: 'engine_not_installed',
    what: 'The container engine could not be installed',
    why,
    fix,
    exitCode: EXIT.noRuntime,
  });
}
