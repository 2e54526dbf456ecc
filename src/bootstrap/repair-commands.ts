/** What of the machine decides which engine there is, and which command installs or starts one. */
export interface HostSystem {
  readonly platform: string;
  /** `ID` and `ID_LIKE` of os-release, lower case; empty elsewhere. */
  readonly distribution: string;
  /** Whether systemd runs the machine. */
  readonly systemd: boolean;
  /** The directory in the place of `/`: itself, or a fixture of tests. */
  readonly root: string;
  /** Full path of a program that can be executed now, on PATH or where systems install programs. */
  find(program: string): string | undefined;
}

/** How to install, start and get access to an engine, each a sentence with its command. */
export interface RepairCommands {
  readonly install: string;
  readonly start: string;
  readonly permit: string;
}

const INSTALL: readonly (readonly [RegExp, string])[] = [
  [/\b(?:debian|ubuntu)\b/, 'run: sudo apt-get install -y docker.io'],
  [/\b(?:fedora|rhel|centos)\b/, 'run: sudo dnf install -y podman && systemctl --user enable --now podman.socket'],
  [/\b(?:arch|manjaro)\b/, 'run: sudo pacman -S docker && sudo systemctl enable --now docker'],
  [/\balpine\b/, 'run: sudo apk add docker && sudo service docker start'],
  [/^/, "install Docker or Podman with your system's package manager"],
];

export function repairCommands({
  platform,
  distribution,
  systemd,
}: Pick<HostSystem, 'platform' | 'distribution' | 'systemd'>): RepairCommands {
  if (platform === 'darwin') {
    const start = 'run: open -a Docker';
    return { install: `run: brew install --cask docker, then ${start}`, start, permit: start };
  }
  if (platform === 'win32') {
    const wsl = 'run fluffy inside WSL2 (wsl --install) with Docker Desktop and its WSL integration';
    return { install: wsl, start: wsl, permit: wsl };
  }
  return {
    install: INSTALL.find(([pattern]) => pattern.test(distribution))?.[1] ?? '',
    start: systemd ? 'run: sudo systemctl start docker' : 'run: sudo service docker start',
    permit: 'run: sudo usermod -aG docker "$USER", then log in again',
  };
}
